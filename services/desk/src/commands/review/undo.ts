import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import { groupLimits } from '../../actions/review/read-group.js';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { count } from '../../print/count.js';
import { findContributions } from './find.js';
import { decideEach, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewUndo(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'undo',
    'take back held decisions before they take effect, also those of others',
    '[id...]',
  )
    .option('--group <id>', 'all decisions of this group, in place of ids')
    .action(
      handle(async (session, words: string[], { revision, group: groupId }: ReviewOptions & { group?: string }) => {
        const moderation = session.connect('contributions', ModerationServiceService, groupLimits);
        if ((groupId === undefined) === (words.length === 0)) throw new UsageError('Give ids, or --group.');
        if (groupId !== undefined) {
          const all = { id: '', expectedRevision: 0, groupId };
          const { undone = 0 } = await moderation.undoDecision(all, session.callContext());
          session.print.result({ undone }, () => `${count(undone, 'decision')} undone; the texts wait again.`);
          return;
        }
        const found = await findContributions(session, moderation, words);
        await decideEach(
          session,
          found,
          revision,
          (named) => moderation.undoDecision(named, session.callContext()),
          ({ id_at_revision: id, state }) => `The decision is undone; ${id} is ${state.replace('_', ' ')}.`,
        );
      }),
    );
  addExamples(command, 'review undo ID', 'review undo --group GROUP');
}
