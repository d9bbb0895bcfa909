import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { changeOf, presentRevision, type RevisionView, readersOf } from '../../article/present-revision.js';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import type { Column } from '../../print/table.js';
import { readableTime } from '../../print/time.js';

const maxPageSize = 50;

export function addArticleHistory(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('history')
    .description('list the revisions of an article, newest first: who changed what, when and why, and what readers saw')
    .argument('<slug>', 'its name in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(limitOption())
    .action(
      handle(async (session, slug: string, { site: wanted, limit }: { site?: string; limit?: number }) => {
        const editorial = session.connect('content', EditorialServiceService);
        const { entry } = await findArticle(editorial, session, slug, wanted);
        const { site } = requireField(entry);
        const read = async (pageSize: number, pageToken: string) => {
          const request = { site, slug, pageSize, pageToken };
          const page = await editorial.listArticleRevisions(request, session.callContext());
          return { items: page.revisions, nextPageToken: page.nextPageToken };
        };
        const { items, cut } = await readListPages(limit, session.print, read, maxPageSize);
        session.print.list(items.map(presentRevision), columns, { one: 'revision', cut });
      }),
    );
  addExamples(
    command,
    'article history rolling-out-sso',
    'article history rolling-out-sso --site org --limit 5',
    'article history rolling-out-sso --json',
  );
}

const columns: readonly Column<RevisionView>[] = [
  { header: 'rev', value: (each) => each.revision, alignRight: true },
  { header: 'when, UTC', value: (each) => readableTime(each.occurred_at) },
  { header: 'who', value: (each) => each.actor, flexible: true, minWidth: 12 },
  { header: 'change', value: changeOf, flexible: true, minWidth: 20 },
  { header: 'readers', value: readersOf, dropPriority: 2 },
  { header: 'why', value: (each) => each.reason, neverCut: true, dropPriority: 1 },
];
