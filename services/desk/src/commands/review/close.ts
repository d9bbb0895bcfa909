import type { Command } from 'commander';
import { closeAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewClose(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(parent, 'close', 'close inquiries without an answer')
    .option('--reason <text>', 'why; its human gets it by mail, and its agent can read it', '')
    .option('--note <text>', 'a note that only moderators see', '')
    .addOption(holdOption())
    .action(
      handle(async (session, words: string[], { reason, note, ...options }: ReviewOptions & CloseTexts) =>
        applyToEach(session, words, options, closeAction({ reason, note })),
      ),
    );
  addExamples(
    command,
    'review close ID --reason "We answer questions about practice only."',
    'review close ID --reason "This was answered before." --note "the third time this week"',
  );
}

interface CloseTexts {
  readonly reason: string;
  readonly note: string;
}
