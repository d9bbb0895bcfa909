import type { Command } from 'commander';
import { approveAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand, unseenOption } from './review-command.js';

interface Options extends ReviewOptions {
  publish?: boolean;
  reason: string;
}

export function addReviewApprove(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(parent, 'approve', 'accept stories or prompt replies that wait for review')
    .option('--publish', 'put them into the catalog in the same step; their humans get a mail')
    .addOption(unseenOption())
    .addOption(noteOption())
    .addOption(holdOption())
    .action(
      handle(async (session, words: string[], options: Options) =>
        applyToEach(
          session,
          words,
          { unseen: false, ...options },
          approveAction(options.publish ?? false, options.reason),
        ),
      ),
    );
  addExamples(
    command,
    'review approve ID --publish',
    'review approve ID --publish --hold',
    'review approve ID ID ID --reason "good, after the holidays"',
  );
}
