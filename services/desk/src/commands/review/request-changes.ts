import type { Command } from 'commander';
import { requestChangesAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewRequestChanges(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'request-changes',
    'ask for a new text of contributions that wait for review; without one they are withdrawn after 30 days',
  )
    .requiredOption('--reason <text>', 'which changes are needed; its human gets it by mail, its agent can read it')
    .addOption(holdOption())
    .action(
      handle(async (session, words: string[], { reason, ...options }: ReviewOptions & { reason: string }) =>
        applyToEach(session, words, options, requestChangesAction(reason)),
      ),
    );
  addExamples(command, 'review request-changes ID --reason "Please leave out the name of the client."');
}
