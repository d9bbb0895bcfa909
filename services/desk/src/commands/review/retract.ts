import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewRetract(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'retract', 'take published contributions out of the catalog')
    .requiredOption('--reason <text>', 'why; its human is told by mail')
    .action(
      act(async (session, words: string[], { revision, reason }: DecisionOptions & { reason: string }) =>
        decide(
          session,
          words,
          { revision },
          {
            verb: 'Retract',
            warning: 'Readers lose it at once; "review publish" brings it back, but the mail cannot be taken back.',
            mail: { kind: 'retracted', text: reason },
            make: (moderation, request, call) => moderation.retractContribution({ ...request, reason }, call),
          },
        ),
      ),
    );
  addExamples(command, 'review retract ID --reason "names a customer"', 'review retract ID --reason … --yes');
}
