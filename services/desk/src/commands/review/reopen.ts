import type { Command } from 'commander';
import { reopenAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewReopen(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'reopen',
    'let rejected contributions and closed inquiries wait for a decision again; their humans get a mail',
  )
    .addOption(noteOption())
    .addOption(holdOption())
    .action(
      handle(async (session, words: string[], { reason, ...options }: ReviewOptions & { reason: string }) =>
        applyToEach(session, words, options, reopenAction(reason)),
      ),
    );
  addExamples(command, 'review reopen ID');
}
