import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Command, Option } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { presentRevision, revisionLine } from '../../article/present-revision.js';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { parseCount, siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { terminalSafeLine } from '../../print/terminal-safe.js';
import { sites } from '../../words.js';
import { readRevision } from './read-revision.js';

interface Options {
  site?: string;
  from?: number;
  to?: number;
  words?: boolean;
}

export function addArticleDiff(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('diff')
    .description('show what changed between two revisions of an article (without options: with the last one)')
    .argument('<slug>', 'its name in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(new Option('--from <n>', 'the earlier revision (default: the one before --to)').argParser(parseCount))
    .addOption(new Option('--to <n>', 'the later revision (default: the present one)').argParser(parseCount))
    .option('--words', 'show changed words inside their lines, as [-removed-] and {+added+}')
    .action(
      handle(async (session, slug: string, { site: wanted, words, ...options }: Options) => {
        const { articleDifference } = await import('../../difference/article-difference.js');
        const { formatDifference } = await import('../../difference/format-difference.js');
        const { patchOf } = await import('@knowledge/runtime/difference');
        const editorial = session.connect('content', EditorialServiceService);
        const entry = requireField((await findArticle(editorial, session, slug, wanted)).entry);
        const { to = entry.revision } = options;
        const { from = to - 1 } = options;
        if (from < 1) throw new UsageError(`Revision ${to} is the first, so there is nothing to compare it with.`);
        const read = async (revision: number) => {
          const found = await readRevision(editorial, session, entry, revision);
          return { ...found, view: presentRevision(requireField(found.revision)) };
        };
        const [before, after] = await Promise.all([read(from), read(to)]);
        const difference = articleDifference(before, after);
        const view = {
          slug,
          site: sites.fromWire(entry.site),
          from: before.view,
          to: after.view,
          fields: difference.fields.map(({ block: _, ...field }) => field),
          body_patch: patchOf(difference.hunks),
        };
        session.print.result(view, (_, paint) => {
          const heading = `${revisionLine(before.view)} → ${revisionLine(after.view)}`;
          const changes = formatDifference(difference, words === true ? 'words' : 'lines', paint);
          return `${paint.quiet(terminalSafeLine(heading))}\n\n${changes}`;
        });
      }),
    );
  addExamples(
    command,
    'article diff rolling-out-sso',
    'article diff rolling-out-sso --from 2 --to 5 --words',
    'article diff rolling-out-sso --from 2 --json',
  );
}
