import type { ListArticleRevisionsResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Html } from '@knowledge/runtime/html';
import { changeOf, presentRevision, type RevisionView, readersOf } from '../../article/present-revision.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, moreLink, tableOf } from '../layout/tables.js';
import { strange, timeOf } from '../layout/values.js';
import { type PathName, pathOf } from './article-name.js';

/** The revisions of an article, the newest first, and a form that compares any two. Editors can restore the older ones. */
export function historyPage(
  { revisions, nextPageToken }: ListArticleRevisionsResponse,
  name: PathName,
  { mayRestore, isFirst }: { readonly mayRestore: boolean; readonly isFirst: boolean },
): Shown {
  const title = `History of ${name.slug}`;
  const shown = revisions.map(presentRevision);
  const current = isFirst ? shown[0]?.revision : undefined;
  const main = (
    <>
      <p>
        <a href={pathOf(name)}>Article</a>
      </p>
      <h1>{title}</h1>
      <form method="get" action={pathOf(name, 'difference')}>
        {tableOf(
          'Revisions',
          shown,
          [...columns, ...(mayRestore ? [restoreColumn(name, current)] : [])],
          'There are no revisions.',
        )}
        <p>
          <button>Compare</button>
        </p>
      </form>
      {moreLink('Earlier revisions', pathOf(name, 'history'), { page: nextPageToken }, nextPageToken)}
    </>
  );
  return { title, main };
}

const columns: readonly Column<RevisionView>[] = [
  { header: 'From', cell: ({ revision }, at) => radio('from', revision, at === 1) },
  { header: 'To', cell: ({ revision }, at) => radio('to', revision, at === 0) },
  { header: 'Revision', cell: ({ revision }) => revision, isNumber: true },
  { header: 'When', cell: ({ occurred_at }) => timeOf(occurred_at) },
  { header: 'Who', cell: ({ actor }) => strange(actor) },
  { header: 'What', cell: changeOf },
  { header: 'Readers', cell: readersOf },
  { header: 'Why', cell: ({ reason }) => strange(reason) },
];

function restoreColumn(name: PathName, current: number | undefined): Column<RevisionView> {
  return {
    header: 'Restore',
    cell: ({ revision }) =>
      revision !== current && (
        <a href={pathOf(name, `restore?revision=${revision}`)} aria-label={`Restore revision ${revision}`}>
          Restore
        </a>
      ),
  };
}

function radio(name: 'from' | 'to', revision: number, isChosen: boolean): Html {
  const label = `Compare ${name} revision ${revision}`;
  return <input type="radio" name={name} value={revision} checked={isChosen} aria-label={label} />;
}
