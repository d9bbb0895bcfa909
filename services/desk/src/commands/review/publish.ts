import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewPublish(parent: Command, act: Act): void {
  const command = decisionCommand(
    parent,
    'publish',
    'put approved or retracted contributions into the catalog; their humans are told by mail',
  )
    .addOption(noteOption())
    .action(
      act(async (session, words: string[], { revision, reason }: DecisionOptions & { reason: string }) =>
        decide(
          session,
          words,
          { revision },
          {
            verb: 'Publish',
            warning: 'Everybody can read it at once.',
            mail: { kind: 'published', text: '' },
            make: (moderation, request, call) => moderation.publishContribution({ ...request, reason }, call),
          },
        ),
      ),
    );
  addExamples(command, 'review publish ID');
}
