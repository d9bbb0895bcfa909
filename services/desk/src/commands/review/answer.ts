import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { type GivenText, withText } from '../../texts.js';
import { type Decision, type DecisionOptions, decide, decisionCommand } from './decide.js';
import { findContributionId, readContribution } from './find.js';

export function addReviewAnswer(parent: Command, act: Act): void {
  const command = decisionCommand(
    parent,
    'answer',
    'answer an inquiry, by mail to its human and to its agent; an answered one gets a corrected answer',
    true,
  )
    .option('--text <text>', 'the answer; - reads it from standard input')
    .option('--file <path>', 'the file with the answer (default on a terminal: write it in $EDITOR)')
    .action(
      act(async (session, word: string, options: DecisionOptions & GivenText) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const id = await findContributionId(session, moderation, word);
        const given = options.text ?? options.file;
        const context = given === undefined ? await contextOf() : '';
        await withText(session.host, options, { context }, (text) =>
          decide(session, [id], { revision: options.revision }, answering(text)),
        );

        async function contextOf(): Promise<string> {
          const { body, answer } = await readContribution(session, moderation, id);
          return answer === null ? body : `${body}\n\nThe answer so far:\n\n${answer}`;
        }
      }),
    );
  addExamples(
    command,
    'review answer ID --text "The figures are in the second table."',
    'review answer ID --file answer.txt',
    'review answer ID',
  );
}

/** The decision to answer with a text. */
export function answering(text: string): Decision {
  return {
    verb: 'Answer',
    warning: 'A mail cannot be taken back; a wrong answer can be corrected by another one.',
    mail: { kind: 'answered', text },
    make: (moderation, request, call) => moderation.answerInquiry({ ...request, text }, call),
  };
}
