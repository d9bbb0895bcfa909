import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { importLimits } from '../../import/import-limits.js';
import { readObject } from '../../import/object-file.js';
import type { ImportOptions } from '../../import/run-import.js';
import { reasonOption, siteOption } from '../../options.js';

interface Options extends ImportOptions {
  site?: string;
  reason: string;
}

export function addObjectImport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('import')
    .description(
      'import and publish every .md file of a directory and the directories below it; safe to repeat. Front matter ' +
        '(YAML): id (a UUID of yours), kind, title, summary, author, language, published_at, site',
    )
    .argument('<dir>', 'the directory')
    .addOption(siteOption('the site of files that do not name theirs'))
    .option('--dry-run', 'show what would be imported, and import nothing')
    .addOption(reasonOption())
    .action(
      handle(async (session, directory: string, { site, reason, ...how }: Options) => {
        const { runImport } = await import('../../import/run-import.js');
        const editorial = session.connect('content', EditorialServiceService, importLimits);
        return runImport(session, directory, how, {
          read: (document) => readObject(document, { site, reason }),
          put: (request, validateOnly) => editorial.putObject({ ...request, validateOnly }, session.callContext()),
          ready: editorial.ready,
        });
      }),
    );
  addExamples(command, 'object import ./objects --site org');
}
