import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { type Decision, type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewClose(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'close', 'close inquiries without an answer')
    .option('--reason <text>', 'why; its human is told by mail, and so is its agent', '')
    .option('--note <text>', 'a note that only moderators see', '')
    .action(
      act(async (session, words: string[], { revision, reason, note }: DecisionOptions & Texts) =>
        decide(session, words, { revision }, closing({ reason, note })),
      ),
    );
  addExamples(
    command,
    'review close ID --reason "We answer questions about practice only."',
    'review close ID --reason "This was answered before." --note "the third time this week"',
  );
}

interface Texts {
  readonly reason: string;
  readonly note: string;
}

/** The decision to close without an answer. */
export function closing({ reason, note }: Texts): Decision {
  return {
    verb: 'Close',
    warning: 'This is final.',
    mail: { kind: 'closed', text: reason },
    make: (moderation, request, call) => moderation.closeInquiry({ ...request, reason, note }, call),
  };
}
