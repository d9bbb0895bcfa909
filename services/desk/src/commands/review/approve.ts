import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

interface Options extends DecisionOptions {
  publish?: boolean;
  reason: string;
}

export function addReviewApprove(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'approve', 'accept a story or a prompt reply that waits for review')
    .option('--publish', 'put it into the catalog in the same step; its human is told by mail')
    .addOption(reasonOption())
    .action(
      act(async (session, id: string, { revision: expectedRevision, publish = false, reason }: Options) =>
        decide(session, (moderation, call) =>
          moderation.approveContribution({ id, expectedRevision, publish, reason }, call),
        ),
      ),
    );
  addExamples(command, 'review approve ID --publish', 'review approve ID --reason "good, after the holidays"');
}
