import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { type DecisionOptions, decide, decisionCommand } from './decide.js';

export function addReviewAnswer(parent: Command, act: Act): void {
  const command = decisionCommand(parent, 'answer', 'answer an inquiry, by mail to its human and to its agent')
    .requiredOption('--text <text>', 'the answer')
    .action(
      act(async (session, id: string, { revision, text }: DecisionOptions & { text: string }) =>
        decide(session, (moderation, call) => moderation.answerInquiry({ id, expectedRevision: revision, text }, call)),
      ),
    );
  addExamples(command, 'review answer ID --text "The figures are in the second table."');
}
