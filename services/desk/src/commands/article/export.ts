import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Command, Option } from 'commander';
import { articleStates } from '../../article/present-article.js';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { DeskError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { inParallel } from '../../import/parallel.js';
import { siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { createProgress } from '../../print/progress.js';
import { sites } from '../../words.js';

const concurrency = 8;

export function addArticleExport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('export')
    .description('write every article to DIR/<site>/<slug>.md, as "article import" reads it')
    .argument('<dir>', 'the directory; created if it does not exist, and existing files are replaced')
    .addOption(siteOption('only this site'))
    .addOption(new Option('--state <state>', 'only this state').choices(articleStates.words))
    .action(
      handle(async (session, directory: string, { site, state }: { site?: string; state?: string }) => {
        const { exportArticle } = await import('../../export/export-article.js');
        const editorial = session.connect('content', EditorialServiceService);
        const filter = { site: sites.toWire(site), state: articleStates.toWire(state) };
        const { items: records } = await readListPages(undefined, session.print, async (pageSize, pageToken) => {
          const page = await editorial.listArticleRecords({ ...filter, pageSize, pageToken }, session.callContext());
          return { items: page.articles, nextPageToken: page.nextPageToken };
        });
        const root = resolve(session.host.cwd, directory);
        const progress = createProgress(session.host.stderr, 'articles', records.length);
        let exported = 0;
        await inParallel(records, concurrency, async ({ entry }) => {
          session.host.interrupted.throwIfAborted();
          const file = await exportArticle(editorial, session, requireField(entry));
          if (file !== undefined) {
            await write(join(root, file.path), file.markdown);
            exported++;
          }
          progress.step();
        });
        progress.end();
        session.print.result({ exported }, () => `${exported} exported to ${directory}`);
      }),
    );
  addExamples(command, 'article export ./export', 'article export ./export --site org --state published');
}

async function write(path: string, markdown: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.part`, markdown);
    await rename(`${path}.part`, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DeskError('file_error', `${path} cannot be written (${code}).`, { cause: error });
  }
}
