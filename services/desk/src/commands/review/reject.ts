import type { Command } from 'commander';
import { rejectAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewReject(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'reject',
    'reject contributions that wait for review or a new text, or are approved',
  )
    .requiredOption('--reason <text>', 'why; its human gets it by mail')
    .addOption(holdOption())
    .action(
      handle(async (session, words: string[], { reason, ...options }: ReviewOptions & { reason: string }) =>
        applyToEach(session, words, options, rejectAction(reason)),
      ),
    );
  addExamples(
    command,
    'review reject ID --reason "It is an advertisement."',
    'review reject ID ID ID --reason "It is an advertisement." --yes',
  );
}
