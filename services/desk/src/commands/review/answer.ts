import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import { answerAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { type TextOptions, withText } from '../../text-input.js';
import { findContributionId, readContribution } from './find.js';
import { applyToEach, holdOption, type ReviewOptions, reviewCommand } from './review-command.js';

export function addReviewAnswer(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'answer',
    'answer an inquiry; its human gets the answer by mail, its agent from the API. An answered inquiry gets a corrected answer',
    '<id>',
  )
    .option('--text <text>', 'the answer; - reads it from standard input')
    .option('--file <path>', 'the file with the answer (default on a terminal: write it in $EDITOR)')
    .addOption(holdOption())
    .action(
      handle(async (session, word: string, options: ReviewOptions & TextOptions) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const given = options.text ?? options.file;
        const context = given === undefined ? await contextOf() : '';
        await withText(session.host, options, { context }, (text) =>
          applyToEach(session, [word], options, answerAction(text)),
        );

        async function contextOf(): Promise<string> {
          const id = await findContributionId(session, moderation, word);
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
