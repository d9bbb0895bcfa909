import type { ArticleRecord, ListArticleRecordsResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Fragment, minuteElement } from '@knowledge/runtime/html';
import { articleStates } from '../../article/present-article.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { checkField, selectField, textField } from '../forms/fields.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, moreLink, tableOf } from '../layout/tables.js';
import { siteChoices, siteTitle, stateMark, timeOf } from '../layout/values.js';
import type { ArticleFilter } from './article-filter.js';
import { pathOf } from './article-name.js';

/** The list of articles in any state. `mayWrite` adds what editors can do. */
export function listPage(
  { articles, nextPageToken }: ListArticleRecordsResponse,
  filter: ArticleFilter,
  mayWrite: boolean,
): Shown {
  const main = (
    <>
      <h1>Articles</h1>
      {buttonRow(
        mayWrite && linkButton('/articles/new', 'Write an article'),
        linkButton(`/articles/files/articles.zip?${new URLSearchParams({ ...filter })}`, 'Export these'),
      )}
      <form class="filters" method="get" action="/articles">
        {textField({ name: 'words', label: 'Words in title or URL', value: filter.words, maxlength: 200 })}
        {textField({ name: 'tag', label: 'Tag', value: filter.tag, maxlength: 40 })}
        {selectField({ name: 'site', label: 'Site', value: filter.site, choices: [all, ...siteChoices] })}
        {selectField({ name: 'state', label: 'State', value: filter.state, choices: [all, ...articleStates.words] })}
        {selectField({ name: 'order', label: 'Order', value: filter.order, choices: orders })}
        {checkField({ name: 'missed', label: 'Next revision lost its time', checked: filter.missed !== '' })}
        <button>Show</button>
      </form>
      {tableOf('Articles', articles, columns, 'There are no such articles.')}
      {moreLink('More articles', '/articles', { ...filter, page: nextPageToken }, nextPageToken)}
    </>
  );
  return { title: 'Articles', main };
}

const all = ['', 'all'] as const;

const orders = [
  ['', 'last changed first'],
  ['title', 'by title'],
] as const;

const columns: readonly Column<ArticleRecord>[] = [
  {
    header: 'Title',
    cell: ({ entry }) => (
      <a href={pathOf(requireField(entry))}>
        <bdi>{entry?.title}</bdi>
      </a>
    ),
  },
  { header: 'Site', cell: ({ entry }) => siteTitle(sites.fromWire(requireField(entry).site)) },
  { header: 'State', cell: ({ state }) => stateMark(articleStates.fromWire(state)) },
  { header: 'Next revision', cell: nextRevision },
  { header: 'Changed', cell: ({ entry }) => timeOf(entry?.updatedAt) },
  { header: 'Revision', cell: ({ entry }) => entry?.revision, isNumber: true },
];

function nextRevision({ entry, draft }: ArticleRecord): Fragment {
  return (
    draft !== undefined && (
      <a href={pathOf(requireField(entry), 'next')}>
        {draft.publishAt === undefined ? 'draft' : minuteElement(draft.publishAt)}
        {draft.missedAt && [', missed ', minuteElement(draft.missedAt)]}
        {draft.baseRevision !== entry?.revision && ' (outdated)'}
      </a>
    )
  );
}
