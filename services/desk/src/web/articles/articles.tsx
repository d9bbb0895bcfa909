import {
  type ArticleRecord,
  EditorialServiceService,
  type ListArticleRecordsResponse,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Fragment, minuteElement } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { articleMarkdown } from '../../article/article-file.js';
import { articleStates } from '../../article/present-article.js';
import { requireField, sites } from '../../words.js';
import {
  buttonRow,
  callOf,
  checkField,
  columnsOf,
  confirmPage,
  formField,
  hasRole,
  linkButton,
  moreLink,
  type Shown,
  selectField,
  showPage,
  siteChoices,
  siteTitle,
  staffOf,
  stateMark,
  tableOf,
  textField,
  timeOf,
  titled,
  toRevision,
  type WebDesk,
} from '../page-parts.js';
import { articlePage, articlePath, nameOf, pathOf, readArticle, stateChanges } from './article.js';
import { lossNotice } from './article-form.js';
import { registerArticleForms } from './edit.js';
import { registerHistory } from './history.js';
import { registerNextRevision } from './next.js';

/** Registers the pages of editors for articles. */
export function registerArticles(app: FastifyInstance, desk: WebDesk): void {
  const editorial = desk.connect('content', EditorialServiceService);

  showPage(app, '/articles', async (request) => {
    const filter = readArticleFilter(request);
    const list = { ...toWireFilter(filter), pageSize: 50, pageToken: formField(request.query, 'page', 1024) };
    const found = await editorial.listArticleRecords(list, callOf(request));
    return listPage(found, filter, mayWrite(request));
  });

  showPage(app, articlePath, async (request) => {
    const { record } = await readArticle(editorial, request);
    return articlePage(record, mayWrite(request));
  });

  app.get(`${articlePath}/export.md`, async (request, reply) => {
    const { record, entry } = await readArticle(editorial, request);
    return reply
      .type('text/markdown; charset=utf-8')
      .header('content-disposition', `attachment; filename="${entry.slug}.md"`)
      .send(articleMarkdown(record));
  });

  for (const { page, label, warning, method } of stateChanges) {
    confirmPage(app, `${articlePath}/${page}`, {
      roles: ['editor'],
      async ask(request) {
        const { record, entry } = await readArticle(editorial, request);
        return {
          shown: lossNotice(record),
          title: `${label}: ${entry.title}`,
          warning,
          button: label,
          back: pathOf(entry),
          hidden: { revision: entry.revision },
        };
      },
      async change(request, reason) {
        const name = nameOf(request);
        const expectedRevision = toRevision(formField(request.body, 'revision'));
        await editorial[method]({ ...name, expectedRevision, reason }, callOf(request));
        return page === 'delete' ? '/articles' : pathOf(name);
      },
    });
  }

  registerArticleForms(app, editorial);
  registerHistory(app, editorial);
  registerNextRevision(app, desk);
}

function mayWrite(request: FastifyRequest): boolean {
  return hasRole(staffOf(request), 'editor');
}

/** Which articles a list shows, as its form sends it; empty for all. */
export function readArticleFilter({ query }: Pick<FastifyRequest, 'query'>) {
  return {
    words: formField(query, 'words').trim(),
    tag: formField(query, 'tag').trim(),
    site: formField(query, 'site'),
    state: formField(query, 'state'),
    /** `title`, or empty for the last changed first. */
    order: formField(query, 'order'),
    /** `yes` for articles whose next revision lost its time. */
    missed: formField(query, 'missed'),
  };
}

type ArticleFilter = ReturnType<typeof readArticleFilter>;

export function toWireFilter({ words, tag, site, state, order, missed }: ArticleFilter) {
  const wire = { site: sites.toWire(site), state: articleStates.toWire(state) };
  return { ...wire, query: words, tag, byTitle: order === 'title', missed: missed !== '' };
}

/** The list of articles in any state. `mayWrite` adds what editors can do. */
function listPage(
  { articles, nextPageToken }: ListArticleRecordsResponse,
  filter: ArticleFilter,
  mayWrite: boolean,
): Shown {
  return titled(
    'Articles',
    <>
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
    </>,
  );
}

const all = ['', 'all'] as const;

const orders = [
  ['', 'last changed first'],
  ['title', 'by title'],
] as const;

const columns = columnsOf<ArticleRecord>(
  {
    Title: ({ entry }) => (
      <a href={pathOf(requireField(entry))}>
        <bdi>{entry?.title}</bdi>
      </a>
    ),
    Site: ({ entry }) => siteTitle(sites.fromWire(requireField(entry).site)),
    State: ({ state }) => stateMark(articleStates.fromWire(state)),
    'Next revision': nextRevision,
    Changed: ({ entry }) => timeOf(entry?.updatedAt),
    Revision: ({ entry }) => entry?.revision,
  },
  'Revision',
);

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
