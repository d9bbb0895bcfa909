import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { distinct } from '../../ids.js';
import { reasonOption } from '../../options.js';
import { count } from '../../print/count.js';

export function addSynonymDelete(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('delete')
    .description('delete groups of synonyms; their words are not kept')
    .argument('<id...>', 'the names of the groups')
    .addOption(reasonOption())
    .action(
      handle(async (session, given: string[], { reason }: { reason: string }) => {
        const client = session.connect('content', SearchWordsServiceService);
        const ids = distinct(given);
        await confirm(
          session,
          `Delete ${count(ids.length, 'group')} of synonyms? Their words are not kept.`,
          async () => {
            const { synonyms } = await client.listSynonyms({}, session.callContext());
            const found = synonyms.filter(({ id }) => ids.includes(id));
            return found.map(({ id, words }) => `${id}: ${words.join(', ')}`).join('\n');
          },
        );
        const remove = async (id: string) => {
          await client.deleteSynonym({ id, reason }, session.callContext());
          return { id, state: 'deleted' };
        };
        await forEachNamed(session, ids, remove, { text: ({ id }) => `The group ${id} is deleted.` });
      }),
    );
  addExamples(command, 'synonym delete sso --reason "two different things"');
}
