import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { type ContributionView, presentContribution } from '../../present/contribution.js';
import { required } from '../../present/required.js';
import { formatHistory } from '../../present/transition.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';

export function addReviewShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show one contribution with its history and its mails')
    .argument('<id>', 'its UUID')
    .action(
      act(async (session, id: string) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const { contribution } = await moderation.getContributionRecord({ id }, session.call());
        session.print.thing(presentContribution(required(contribution)), format);
      }),
    );
  addExamples(command, 'review show ID', 'review show ID --json');
}

function format(record: ContributionView, paint: Paint): string {
  const facts = formatDetails(
    [
      ['id', record.id],
      ['type', record.type],
      ['site', record.site],
      ['state', record.state],
      ['title', record.title],
      ['name to show', record.name],
      ['from', record.email],
      ['by agent', record.agent_name],
      ['prompt', record.prompt_id],
      ['sent, UTC', readableTime(record.submitted_at)],
      ['reviewed, UTC', readableTime(record.reviewed_at)],
      ['reason', record.reason],
      ['revision', record.revision],
      ['in the catalog', record.published_revision === 0 ? null : `revision ${record.published_revision}`],
    ],
    paint,
  );
  const texts = formatText('Body', record.body) + formatText('Answer', record.answer ?? '');
  return facts + formatHistory(record.history, record.mails) + texts;
}
