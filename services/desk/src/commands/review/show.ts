import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, wholeIds } from '../../ids.js';
import { formatContribution } from '../../present/contribution.js';
import { withEach } from '../../several.js';
import { findContributionId, readContribution } from './find.js';

export function addReviewShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show contributions with their history and their mails')
    .argument('<id...>', idsHelp)
    .action(
      act(async (session, words: string[]) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const ids = await wholeIds(words, (word) => findContributionId(session, moderation, word));
        const read = (id: string) => readContribution(session, moderation, id);
        await withEach(session, ids, read, { text: formatContribution, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'review show ID', 'review show ID --json');
}
