import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { importLimits } from '../../import/import-limits.js';
import { reasonOption, siteOption } from '../../options.js';
import { readGloss } from '../../search-words/gloss-entry.js';

interface Options {
  site?: string;
  dryRun?: boolean;
  reason: string;
}

export function addGlossImport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('import')
    .description(
      'import the glosses of a YAML file; safe to repeat. A list of entries with title and summary, and with slug and site of an ' +
        'article or the id of an object',
    )
    .argument('<file>', 'the file')
    .addOption(siteOption('the site of articles that do not name theirs'))
    .option('--dry-run', 'show what would be imported, and import nothing')
    .addOption(reasonOption())
    .action(
      handle(async (session, file: string, { site, dryRun = false, reason }: Options) => {
        const { runListImport } = await import('../../import/run-list-import.js');
        const client = session.connect('content', SearchWordsServiceService, importLimits);
        return runListImport(session, file, dryRun, {
          many: 'glosses',
          read: (fields) => readGloss(fields, site, reason),
          put: (request, validateOnly) => client.putGloss({ ...request, validateOnly }, session.callContext()),
          ready: client.ready,
        });
      }),
    );
  addExamples(command, 'gloss import glosses.yaml', 'gloss import glosses.yaml --dry-run');
}
