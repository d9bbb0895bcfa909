import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewClose(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'close', 'close an inquiry without an answer')
    .addOption(reasonOption())
    .action(
      act(async (session, id: string, { revision, reason }: DecisionOptions & { reason: string }) =>
        decide(session, (moderation, call) =>
          moderation.closeInquiry({ id, expectedRevision: revision, reason }, call),
        ),
      ),
    );
  addExamples(command, 'review close ID --reason "answered on the phone"');
}
