import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { applyToEach, type ReviewOptions, reviewCommand } from './review-action.js';

export function addReviewRetract(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(parent, 'retract', 'take published contributions out of the catalog')
    .requiredOption('--reason <text>', 'why; its human gets it by mail')
    .action(
      handle(async (session, words: string[], { revision, reason }: ReviewOptions & { reason: string }) =>
        applyToEach(
          session,
          words,
          { revision },
          {
            verb: 'Retract',
            warning: 'Readers lose it at once; "review publish" brings it back, but the mail cannot be taken back.',
            mail: { kind: 'retracted', text: reason },
            apply: (moderation, request, call) => moderation.retractContribution({ ...request, reason }, call),
          },
        ),
      ),
    );
  addExamples(command, 'review retract ID --reason "names a customer"', 'review retract ID --reason … --yes');
}
