import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { formatContribution } from '../../present/contribution.js';
import { findContributionId, readContribution } from './find.js';

export function addReviewShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show contributions with their history and their mails')
    .argument('<id...>', 'the ids, or as much of each as tells it apart')
    .action(
      act(async (session, words: string[]) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const ids = await Promise.all(words.map((word) => findContributionId(session, moderation, word)));
        const records = await Promise.all(ids.map((id) => readContribution(session, moderation, id)));
        const [only] = records;
        if (records.length === 1 && only !== undefined) session.print.thing(only, formatContribution);
        else {
          session.print.thing(records, (all, paint) =>
            all.map((each) => formatContribution(each, paint)).join('\n\n\n'),
          );
        }
      }),
    );
  addExamples(command, 'review show ID', 'review show ID --json');
}
