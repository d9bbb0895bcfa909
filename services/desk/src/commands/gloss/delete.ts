import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { addTextOptions, findText, type TextOptions, textHelp } from './find-text.js';

interface Options extends TextOptions {
  reason: string;
}

export function addGlossDelete(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('delete')
    .description('delete the gloss of a text; its words are not kept')
    .argument('<text>', textHelp);
  addTextOptions(command)
    .addOption(reasonOption())
    .action(
      handle(async (session, word: string, { reason, ...how }: Options) => {
        const client = session.connect('content', SearchWordsServiceService);
        const text = await findText(session, word, how);
        const { gloss } = await client.getGloss({ text }, session.callContext());
        await confirm(session, `Delete the gloss of ${word}? Its words are not kept.`, gloss?.title);
        await client.putGloss({ text, gloss: undefined, reason, validateOnly: false }, session.callContext());
        session.print.result({ text: word, state: 'deleted' }, () => `The gloss of ${word} is deleted.`);
      }),
    );
  addExamples(command, 'gloss delete dyzury-w-zakladzie-produkcyjnym --reason "the text is in English now"');
}
