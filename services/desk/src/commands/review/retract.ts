import type { Command } from 'commander';
import { retractAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { applyToEach, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewRetract(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(parent, 'retract', 'take published contributions out of the catalog')
    .requiredOption('--reason <text>', 'why; its human gets it by mail')
    .action(
      handle(async (session, words: string[], { revision, reason }: ReviewOptions & { reason: string }) =>
        applyToEach(session, words, { revision }, retractAction(reason)),
      ),
    );
  addExamples(command, 'review retract ID --reason "names a customer"', 'review retract ID --reason … --yes');
}
