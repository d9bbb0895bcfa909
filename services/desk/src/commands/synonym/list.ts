import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { limitOption } from '../../options.js';
import type { Column } from '../../print/table.js';
import { readableTime } from '../../print/time.js';
import { hasWord } from '../../search-words/has-word.js';
import { presentSynonym, type SynonymView } from '../../search-words/synonym-entry.js';

export function addSynonymList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list the groups of synonyms, oldest first')
    .option('--word <text>', 'only groups with a word that contains this text, in upper or lower case')
    .addOption(limitOption())
    .action(
      handle(async (session, { word = '', limit }: { word?: string; limit?: number }) => {
        const client = session.connect('content', SearchWordsServiceService);
        const { synonyms } = await client.listSynonyms({}, session.callContext());
        const found = synonyms.map(presentSynonym).filter((group) => hasWord(group, word));
        const none = word === '' ? 'No groups of synonyms.' : `No group of synonyms has ${word}.`;
        const cut = limit !== undefined && limit < found.length;
        session.print.list(found.slice(0, limit), columns, { one: 'group', none, cut });
      }),
    );
  addExamples(command, 'synonym list', 'synonym list --word sso --json');
}

const columns: readonly Column<SynonymView>[] = [
  { header: 'id', value: (each) => each.id, neverCut: true },
  { header: 'from', value: (each) => each.from.join(', '), dropPriority: 3 },
  { header: 'words', value: (each) => each.words.join(', '), flexible: true, minWidth: 20 },
  { header: 'changed, UTC', value: (each) => readableTime(each.updated_at), dropPriority: 1 },
  { header: 'by', value: (each) => each.updated_by, dropPriority: 2 },
];
