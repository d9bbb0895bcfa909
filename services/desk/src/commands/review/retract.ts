import type { Command } from 'commander';
import { confirm } from '../../confirm.js';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewRetract(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'retract', 'take a published contribution out of the catalog')
    .requiredOption('--reason <text>', 'why; its human is told')
    .action(
      act(async (session, id: string, { revision, reason }: DecisionOptions & { reason: string }) => {
        await confirm(
          session,
          `Retract ${id}: readers lose it at once and its human gets a mail, which cannot be taken back.`,
        );
        await decide(session, (moderation, call) =>
          moderation.retractContribution({ id, expectedRevision: revision, reason }, call),
        );
      }),
    );
  addExamples(command, 'review retract ID --reason "names a customer"', 'review retract ID --reason … --yes');
}
