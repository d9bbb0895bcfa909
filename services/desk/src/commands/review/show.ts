import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { type ContributionView, formatContribution } from '../../present/contribution.js';
import type { Paint } from '../../print/paint.js';
import { findContributionId, readContribution } from './find.js';

export function addShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show contributions with their history, their mails and the changes of their texts')
    .argument('<id...>', idsHelp)
    .action(
      handle(async (session, words: string[]) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const ids = await resolveIds(words, (word) => findContributionId(session, moderation, word));
        const read = (id: string) => readContribution(session, moderation, id);
        const { formatTextChanges } = await import('../../difference/contribution-difference.js');
        const text = (record: ContributionView, paint: Paint): string =>
          formatContribution(record, paint) + formatTextChanges(record, paint);
        await forEachNamed(session, ids, read, { text, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'review show ID', 'review show ID --json');
}
