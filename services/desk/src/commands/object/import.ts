import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { readObject } from '../../import/object-file.js';
import { importLimits, runImport } from '../../import/run-import.js';
import { siteOption } from '../../options.js';

export function addObjectImport(parent: Command, act: Act): void {
  const command = parent
    .command('import')
    .description(
      'put in and publish every .md file of a directory and the directories below it; safe to repeat. Front matter ' +
        '(YAML): id (a UUID of yours), kind, title, summary, author, published_at, site',
    )
    .argument('<dir>', 'the directory')
    .addOption(siteOption('the site of files that do not name theirs'))
    .action(
      act(async (session, directory: string, { site }: { site?: string }) => {
        const editorial = session.connect('content', EditorialServiceService, importLimits);
        return runImport(session, directory, {
          read: (document) => readObject(document, { site }),
          put: (request) => editorial.putObject(request, session.call()),
          ready: editorial.ready,
        });
      }),
    );
  addExamples(command, 'object import ./objects --site org');
}
