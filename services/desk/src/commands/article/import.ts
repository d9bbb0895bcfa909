import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { readArticle } from '../../import/article-file.js';
import { importLimits, runImport } from '../../import/run-import.js';
import { siteOption } from '../../options.js';

export function addArticleImport(parent: Command, act: Act): void {
  const command = parent
    .command('import')
    .description(
      'put in every .md file of a directory and the directories below it; safe to repeat. Front matter (YAML): title, ' +
        'slug, summary, tags, author, language, published_at, site',
    )
    .argument('<dir>', 'the directory')
    .option('--publish', 'publish each in the same step; without it new articles are drafts')
    .addOption(siteOption('the site of files that do not name theirs'))
    .action(
      act(async (session, directory: string, { site, publish = false }: { site?: string; publish?: boolean }) => {
        const editorial = session.connect('content', EditorialServiceService, importLimits);
        return runImport(session, directory, {
          read: (document) => readArticle(document, { site, publish }),
          put: (request) => editorial.putArticle(request, session.call()),
          ready: editorial.ready,
        });
      }),
    );
  addExamples(command, 'article import ./articles --publish --site org', 'article import ./export --json');
}
