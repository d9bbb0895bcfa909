import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewPublish(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'publish', 'put an approved or retracted contribution into the catalog')
    .addOption(reasonOption())
    .action(
      act(async (session, id: string, { revision, reason }: DecisionOptions & { reason: string }) =>
        decide(session, (moderation, call) =>
          moderation.publishContribution({ id, expectedRevision: revision, reason }, call),
        ),
      ),
    );
  addExamples(command, 'review publish ID');
}
