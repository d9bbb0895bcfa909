import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { presentContribution } from '../../present/contribution.js';
import { requireField } from '../../present/require-field.js';
import { findContributions } from './find.js';
import { type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewUndo(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'undo',
    'take back held decisions before they take effect, also those of others',
  ).action(
    handle(async (session, words: string[], { revision }: ReviewOptions) => {
      const moderation = session.connect('contributions', ModerationServiceService);
      const found = await findContributions(session, moderation, words, false);
      const undo = async (id: string) => {
        const request = { id, expectedRevision: revision };
        const { contribution } = await moderation.undoDecision(request, session.callContext());
        return presentContribution(requireField(contribution));
      };
      await forEachNamed(
        session,
        found.map(({ id }) => id),
        undo,
        { text: ({ id, state }) => `The decision is undone; ${id} is ${state.replace('_', ' ')}.` },
      );
    }),
  );
  addExamples(command, 'review undo ID');
}
