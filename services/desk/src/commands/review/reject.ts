import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { type Decision, type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewReject(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'reject', 'do not accept contributions that wait or are approved')
    .requiredOption('--reason <text>', 'why; its human is told by mail')
    .action(
      act(async (session, words: string[], { revision, reason }: DecisionOptions & { reason: string }) =>
        decide(session, words, { revision }, rejecting(reason)),
      ),
    );
  addExamples(
    command,
    'review reject ID --reason "It is an advertisement."',
    'review reject ID ID ID --reason "It is an advertisement." --yes',
  );
}

/** The decision not to accept. */
export function rejecting(reason: string): Decision {
  return {
    verb: 'Reject',
    warning: 'This is final.',
    mail: { kind: 'rejected', text: reason },
    make: (moderation, request, call) => moderation.rejectContribution({ ...request, reason }, call),
  };
}
