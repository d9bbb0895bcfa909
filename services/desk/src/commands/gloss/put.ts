import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { enumWords } from '../../words.js';
import { addTextOptions, findText, type TextOptions, textHelp } from './find-text.js';

interface Options extends TextOptions {
  title: string;
  summary: string;
  reason: string;
}

const outcomes = enumWords(PutOutcome);

export function addGlossPut(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('put')
    .description('set the English title and summary of a text in another language, or replace both')
    .argument('<text>', textHelp)
    .requiredOption('--title <text>', 'the English title')
    .option('--summary <text>', 'the English summary', '');
  addTextOptions(command)
    .addOption(reasonOption())
    .action(
      handle(async (session, word: string, { title, summary, reason, ...how }: Options) => {
        const client = session.connect('content', SearchWordsServiceService);
        const text = await findText(session, word, how);
        const request = { text, gloss: { title, summary }, reason, validateOnly: false };
        const { outcome } = await client.putGloss(request, session.callContext());
        const result = { text: word, title, summary, outcome: outcomes.fromWire(outcome) };
        session.print.result(result, () => `The gloss of ${word} is ${result.outcome}.`);
      }),
    );
  addExamples(
    command,
    'gloss put dyzury-w-zakladzie-produkcyjnym --title "IT on-call duty in a plant with three shifts"',
    'gloss put ID --object --title "A checklist for leaving a vendor" --summary "Twelve questions."',
  );
}
