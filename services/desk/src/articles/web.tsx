import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleDraftNotice,
  type ArticleRecord,
  EditorialServiceService,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Fragment, minuteElement } from '@knowledge/runtime/html';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField, sites } from '../base/words.js';
import {
  buttonRow,
  type Cells,
  checkField,
  confirmPage,
  facts,
  filterForm,
  formField,
  hasRole,
  linkButton,
  moreLink,
  pageIn,
  revisionIn,
  selectField,
  sendFile,
  shownText,
  showPage,
  siteField,
  siteTitle,
  staffOf,
  stateMark,
  strange,
  tableOf,
  textField,
  timeOf,
  titled,
  titleLink,
  type WebDesk,
} from '../pages/index.js';
import { articleMarkdown } from './article-file.js';
import { articleStates } from './present-article.js';
import { articlePath, lossNotice, missedWords, nameOf, openArticle, pathOf } from './web-article.js';
import { registerArticleForms } from './web-edit.js';
import { registerHistory } from './web-history.js';
import { registerNextRevision } from './web-next.js';

/** Registers the pages of editors for articles. */
export function registerArticles(app: FastifyInstance, desk: WebDesk): void {
  const editorial = desk.calls('content', EditorialServiceService);

  showPage(app, '/articles', async (request) => {
    const filter = readArticleFilter(request);
    const list = { ...toWireFilter(filter), ...pageIn(request) };
    const { articles, nextPageToken } = await editorial(request).listArticleRecords(list);
    return titled(
      'Articles',
      <>
        {buttonRow(
          mayWrite(request) && linkButton('/articles/new', 'Write an article'),
          linkButton(`/articles/files/articles.zip?${new URLSearchParams({ ...filter })}`, 'Export these'),
        )}
        {filterForm(
          '/articles',
          'Show',
          textField({ name: 'words', label: 'Words in title or URL', value: filter.words, maxlength: 200 }),
          textField({ name: 'tag', label: 'Tag', value: filter.tag, maxlength: 40 }),
          siteField(filter.site, 'all'),
          selectField({
            name: 'state',
            label: 'State',
            value: filter.state,
            choices: [['', 'all'], ...articleStates.words],
          }),
          selectField({ name: 'order', label: 'Order', value: filter.order, choices: orders }),
          checkField({ name: 'missed', label: 'Next revision lost its time', checked: filter.missed !== '' }),
        )}
        {tableOf('Articles', articles, cells, 'There are no such articles.', 'Revision')}
        {moreLink('More articles', '/articles', filter, nextPageToken)}
      </>,
    );
  });

  showPage(app, articlePath, async (request) => {
    const { record } = await openArticle(editorial, request);
    return articlePage(record, mayWrite(request));
  });

  app.get(`${articlePath}/export.md`, async (request, reply) => {
    const { record, entry } = await openArticle(editorial, request);
    return sendFile(reply, `${entry.slug}.md`, 'text/markdown; charset=utf-8', articleMarkdown(record));
  });

  for (const { page, label, warning, method } of stateChanges) {
    confirmPage(app, `${articlePath}/${page}`, {
      roles: ['editor'],
      async ask(request) {
        const { record, entry } = await openArticle(editorial, request);
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
        const expectedRevision = revisionIn(request);
        await editorial(request)[method]({ ...name, expectedRevision, reason });
        return page === 'delete' ? '/articles' : pathOf(name);
      },
    });
  }

  registerArticleForms(app, editorial);
  registerHistory(app, editorial);
  registerNextRevision(app, desk);
}

function mayWrite(request: FastifyRequest) {
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

const orders = [
  ['', 'last changed first'],
  ['title', 'by title'],
] as const;

const cells: Cells<ArticleRecord> = {
  Title: ({ entry }) => titleLink(pathOf(requireField(entry)), entry?.title),
  Site: ({ entry }) => siteTitle(sites.fromWire(requireField(entry).site)),
  State: ({ state }) => stateMark(articleStates.fromWire(state)),
  'Next revision': nextRevision,
  Changed: ({ entry }) => timeOf(entry?.updatedAt),
  Revision: ({ entry }) => entry?.revision,
};

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

/** An article in any state: its facts, what can be done with it, and its text. `mayWrite` adds what editors can do. */
function articlePage(record: ArticleRecord, mayWrite: boolean) {
  const entry = requireField(record.entry);
  const state = articleStates.fromWire(record.state);
  const last = record.history.at(-1);
  return titled(
    entry.title,
    <>
      {facts({
        State: stateMark(state),
        Site: siteTitle(sites.fromWire(entry.site)),
        URL: `/articles/${entry.slug}`,
        Published: timeOf(entry.publishedAt),
        Changed: last?.occurredAt && [minuteElement(last.occurredAt), ' by ', <bdi>{last.actor}</bdi>],
        Reason: strange(last?.reason),
        Tags: entry.tags.join(', '),
        Author: strange(entry.author),
        Language: entry.language,
        Length: `${entry.wordCount} words, about ${entry.readingTokens} tokens`,
      })}
      {record.draft !== undefined && draftNotice(record.draft, entry.revision, pathOf(entry, 'next'))}
      {buttonRow(
        mayWrite && record.state !== ArticleState.DRAFT && linkButton(pathOf(entry, 'next'), 'Next revision'),
        mayWrite &&
          linkButton(pathOf(entry, 'edit'), record.state === ArticleState.PUBLISHED ? 'Change at once' : 'Edit'),
        linkButton(pathOf(entry, 'history'), `History (${entry.revision})`),
        ...stateChanges.map(
          ({ page, label, from }) => mayWrite && from.includes(record.state) && linkButton(pathOf(entry, page), label),
        ),
        linkButton(pathOf(entry, 'export.md'), 'Export'),
      )}
      {shownText(entry, record.body)}
    </>,
    { back: ['/articles', 'Articles'], heading: <bdi>{entry.title}</bdi> },
  );
}

/** Says that a draft of the next revision exists, and whether it can be published. */
function draftNotice(notice: ArticleDraftNotice, now: number, path: string) {
  const { authors, baseRevision, publishAt, scheduledBy } = notice;
  return (
    <p class="notice">
      There is a <a href={path}>draft of the next revision</a> by <bdi>{authors.join(', ')}</bdi>
      {publishAt && [', which appears on ', minuteElement(publishAt), ' (decided by ', <bdi>{scheduledBy}</bdi>, ')']}.{' '}
      {missedWords(notice)}
      {baseRevision !== now &&
        ` It is based on revision ${baseRevision}, so it cannot be published before you compare.`}
    </p>
  );
}

/** A change of an article's state that a page asks about before it happens. */
interface StateChange {
  /** The last part of the page's path. */
  readonly page: string;
  readonly label: string;
  /** What it means for readers. */
  readonly warning: string;
  readonly from: readonly ArticleState[];
  readonly method: 'publishArticle' | 'archiveArticle' | 'returnArticleToDraft' | 'deleteArticle';
}

const { DRAFT, SCHEDULED, PUBLISHED, ARCHIVED } = ArticleState;

const stateChanges: readonly StateChange[] = [
  {
    page: 'publish',
    label: 'Publish',
    from: [DRAFT, ARCHIVED],
    method: 'publishArticle',
    warning: 'Readers see it at once, or at its time of publication if that is in the future.',
  },
  {
    page: 'archive',
    label: 'Archive',
    from: [PUBLISHED],
    method: 'archiveArticle',
    warning: 'Readers lose it at once. Its text, its history and its draft stay, and it can be published again.',
  },
  {
    page: 'return',
    label: 'Return to draft',
    from: [SCHEDULED, PUBLISHED, ARCHIVED],
    method: 'returnArticleToDraft',
    warning: 'Readers do not see a draft. To change an article that they go on reading, use its next revision.',
  },
  {
    page: 'delete',
    label: 'Delete',
    from: [DRAFT],
    method: 'deleteArticle',
    warning: 'Its text, all its revisions and the draft of its next revision are lost. This cannot be taken back.',
  },
];

/** The style of the pages of editors. */
export const articlesStyle = `
td input[type=radio] { min-height: 1.5rem; width: 1.5rem; margin: 0; }
section.correction { padding: .2rem 1rem; border: 1px solid var(--line); border-radius: 6px; margin-block: 1rem; }
section.correction h2 { margin-top: .6rem; }
section.correction blockquote { margin: .6rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
