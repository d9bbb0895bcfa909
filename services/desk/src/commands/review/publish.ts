import type { Command } from 'commander';
import { publishAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand, unseenOption } from './review-command.js';

export function addReviewPublish(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'publish',
    'put approved or retracted contributions into the catalog; their humans get a mail',
  )
    .addOption(unseenOption())
    .addOption(noteOption())
    .addOption(holdOption())
    .action(
      handle(async (session, words: string[], { reason, ...options }: ReviewOptions & { reason: string }) =>
        applyToEach(session, words, { unseen: false, ...options }, publishAction(reason)),
      ),
    );
  addExamples(command, 'review publish ID');
}
