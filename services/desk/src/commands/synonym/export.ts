import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { DeskError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';

export function addSynonymExport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('export')
    .description('write all groups of synonyms to a YAML file, as "synonym import" reads it')
    .argument('<file>', 'the file; it is replaced if it exists')
    .action(
      handle(async (session, file: string) => {
        const { synonymsYaml } = await import('../../search-words/synonyms-yaml.js');
        const client = session.connect('content', SearchWordsServiceService);
        const { synonyms } = await client.listSynonyms({}, session.callContext());
        try {
          writeFileSync(resolve(session.host.cwd, file), synonymsYaml(synonyms));
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          throw new DeskError('file_error', `${file} cannot be written (${code}).`, { cause: error });
        }
        session.print.result({ exported: synonyms.length }, () => `${synonyms.length} exported to ${file}`);
      }),
    );
  addExamples(command, 'synonym export synonyms.yaml');
}
