import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { readArticle } from '../../article/article-file.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { importLimits } from '../../import/import-limits.js';
import { putArticle } from '../../import/put-article.js';
import type { ImportOptions } from '../../import/run-import.js';
import { reasonOption, siteOption } from '../../options.js';

interface Options extends ImportOptions {
  site?: string;
  publish?: boolean;
  overwrite?: boolean;
  reason: string;
}

export function addArticleImport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('import')
    .description(
      'import every .md file of a directory and the directories below it; safe to repeat. Front matter (YAML): title, ' +
        'slug, summary, tags, author, language, published_at, site, revision (of the export; an article that changed since, or ' +
        'whose next revision is scheduled, is not overwritten). A published_at in the future schedules it',
    )
    .argument('<dir>', 'the directory')
    .option('--publish', 'publish each article in the same step; without it, new articles are drafts')
    .addOption(siteOption('the site of files that do not name theirs'))
    .option('--dry-run', 'show what would be imported, and import nothing')
    .option('--overwrite', 'overwrite articles that changed since the export, or whose next revision is scheduled, too')
    .addOption(reasonOption())
    .action(
      handle(
        async (session, directory: string, { site, publish = false, overwrite = false, reason, ...how }: Options) => {
          const { runImport } = await import('../../import/run-import.js');
          const editorial = session.connect('content', EditorialServiceService, importLimits);
          return runImport(session, directory, how, {
            read: (document) => readArticle(document, { site, publish, overwrite, reason }),
            put: (request, validateOnly) => putArticle(session, editorial, request, { validateOnly, overwrite }),
            ready: editorial.ready,
          });
        },
      ),
    );
  addExamples(command, 'article import ./articles --publish --site org', 'article import ./export --dry-run');
}
