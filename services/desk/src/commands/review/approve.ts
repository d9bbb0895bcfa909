import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { type Decision, type DecisionOptions, decide, decisionCommand } from './decide.js';

interface Options extends DecisionOptions {
  publish?: boolean;
  reason: string;
}

export function addReviewApprove(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'approve', 'accept stories or prompt replies that wait for review')
    .option('--publish', 'put them into the catalog in the same step; their humans are told by mail')
    .addOption(noteOption())
    .action(
      act(async (session, words: string[], options: Options) =>
        decide(session, words, options, approving(options.publish ?? false, options.reason)),
      ),
    );
  addExamples(command, 'review approve ID --publish', 'review approve ID ID ID --reason "good, after the holidays"');
}

/** The decision to accept, and to publish in the same step. */
export function approving(publish: boolean, reason: string): Decision {
  return {
    verb: publish ? 'Approve and publish' : 'Approve',
    warning: 'Everybody can read it at once.',
    mail: publish ? { kind: 'published', text: '' } : undefined,
    make: (moderation, request, call) => moderation.approveContribution({ ...request, publish, reason }, call),
  };
}
