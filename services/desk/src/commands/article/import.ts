import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { readArticle } from '../../article/article-file.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { importLimits } from '../../import/import-limits.js';
import { putArticle } from '../../import/put-article.js';
import type { ImportedArticle } from '../../import/put-result.js';
import type { ImportOptions } from '../../import/run-import.js';
import { reasonOption, siteOption } from '../../options.js';

interface Options extends ImportOptions {
  site?: string;
  publish?: boolean;
  schedule?: boolean;
  overwrite?: boolean;
  reason: string;
}

export function addArticleImport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('import')
    .description(
      'import every Markdown file of a directory and the directories below it; safe to repeat. Front matter (YAML or TOML): ' +
        'title, slug, summary, tags, author, language, published_at, site, revision (of the export; an article that changed ' +
        'since, or whose next revision is scheduled, is not overwritten). Files of Hugo, Jekyll, Zola, Obsidian, dev.to, ' +
        'Docusaurus, Ghost and WordPress are read too: what is not public there stays a draft, and notes say what was mapped',
    )
    .argument('<dir>', 'the directory')
    .option('--publish', 'publish each article in the same step; without it, new articles are drafts')
    .option('--schedule', 'schedule articles with a date in the future; without it, they are drafts')
    .addOption(siteOption('the site of files that do not name theirs'))
    .option('--dry-run', 'show what would be imported, and import nothing')
    .option('--overwrite', 'overwrite articles that changed since the export, or whose next revision is scheduled, too')
    .addOption(reasonOption())
    .action(
      handle(async (session, directory: string, { dryRun = false, ...options }: Options) => {
        const { runImport } = await import('../../import/run-import.js');
        const { publish = false, schedule = false, overwrite = false } = options;
        const how = { site: options.site, publish, schedule, overwrite, reason: options.reason };
        const editorial = session.connect('content', EditorialServiceService, importLimits);
        return runImport<ImportedArticle>(
          session,
          directory,
          { dryRun },
          {
            read: (document, path) => readArticle(document, path, how),
            put: (request, validateOnly) => putArticle(session, editorial, request, { validateOnly, overwrite }),
            ready: editorial.ready,
          },
        );
      }),
    );
  addExamples(command, 'article import ./articles --publish --site org', 'article import ./export --dry-run');
}
