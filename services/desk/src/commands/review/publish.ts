import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { applyToEach, type ReviewOptions, reviewCommand } from './review-action.js';

export function addReviewPublish(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'publish',
    'put approved or retracted contributions into the catalog; their humans get a mail',
  )
    .addOption(noteOption())
    .action(
      handle(async (session, words: string[], { revision, reason }: ReviewOptions & { reason: string }) =>
        applyToEach(
          session,
          words,
          { revision },
          {
            verb: 'Publish',
            warning: 'Everybody can read it at once.',
            mail: { kind: 'published', text: '' },
            apply: (moderation, request, call) => moderation.publishContribution({ ...request, reason }, call),
          },
        ),
      ),
    );
  addExamples(command, 'review publish ID');
}
