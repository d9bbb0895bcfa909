import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewReject(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'reject', 'do not accept a contribution that waits or is approved')
    .requiredOption('--reason <text>', 'why; its human is told')
    .action(
      act(async (session, id: string, { revision, reason }: DecisionOptions & { reason: string }) =>
        decide(session, (moderation, call) =>
          moderation.rejectContribution({ id, expectedRevision: revision, reason }, call),
        ),
      ),
    );
  addExamples(command, 'review reject ID --reason "It is an advertisement."');
}
