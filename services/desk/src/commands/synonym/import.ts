import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { importLimits } from '../../import/import-limits.js';
import { reasonOption } from '../../options.js';
import { readSynonym } from '../../search-words/synonym-entry.js';

export function addSynonymImport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('import')
    .description(
      'import the groups of a YAML file; safe to repeat. A list of entries with words, from (optional) and id (optional; ' +
        'without it the first word names the group). Groups that the file does not name stay',
    )
    .argument('<file>', 'the file')
    .option('--dry-run', 'show what would be imported, and import nothing')
    .addOption(reasonOption())
    .action(
      handle(async (session, file: string, { dryRun = false, reason }: { dryRun?: boolean; reason: string }) => {
        const { runListImport } = await import('../../import/run-list-import.js');
        const { readYamlList } = await import('../../import/yaml-list.js');
        const client = session.connect('content', SearchWordsServiceService, importLimits);
        return runListImport(session, readYamlList(session.host.cwd, file), dryRun, {
          many: 'groups',
          read: (fields) => readSynonym(fields, reason),
          async put(request, validateOnly) {
            return (await client.putSynonym({ ...request, validateOnly }, session.callContext())).outcome;
          },
          ready: client.ready,
        });
      }),
    );
  addExamples(command, 'synonym import synonyms.yaml', 'synonym import synonyms.yaml --dry-run');
}
