import type {
  ArticleDraftNotice,
  EditorialServiceService,
  ListArticleRecordsRequest,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  type Attribution,
  decodePageToken,
  encodePageToken,
  KnowledgeError,
  type PageScope,
  pageToken,
  readPageQuery,
  readPageSize,
  toListPage,
} from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { optionalSite } from '@knowledge/runtime/wire';
import { requireReason } from '../base/bounds.js';
import { logChange, toWireOutcome } from '../base/wire.js';
import { decideArchive, decideDraft, decidePublish, decidePut, decideRemoval } from './decisions.js';
import { articleId } from './documents.js';
import { type Article, type ArticleName, type ArticleOutcome, checkArticlePut, unknownArticle } from './domain.js';
import { checkRecordFilter } from './listing.js';
import { decideRestoration, putOfRevision, summariseRevision, summariseRevisions } from './revisions.js';
import type { ArticleReads, OffsetQuery } from './store-reads.js';
import type { ArticleWrites } from './store-writes.js';
import { optionalState, requireName, toWireEntry, toWireRecord, toWireRevision, toWireWholeRecord } from './wire.js';

interface ArticleParts {
  readonly reads: ArticleReads;
  readonly writes: ArticleWrites;
  /** Reads what listings say about the drafts of these articles. The keys are `site/slug`. */
  readonly draftNotices: (
    names: readonly ArticleName[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, ArticleDraftNotice>>;
  /** Names the articles whose draft lost its time. */
  readonly missedDrafts: (signal: AbortSignal) => Promise<readonly ArticleName[]>;
}

type ArticleHandlers = Omit<
  Handlers<EditorialServiceService>,
  'setHighlights' | 'putObject' | 'withdrawObject' | 'watchEditorial'
>;

export function articleHandlers({ reads, writes, draftNotices, missedDrafts }: ArticleParts): ArticleHandlers {
  return {
    async putArticle(request, context) {
      const put = checkArticlePut({ ...request, site: optionalSite(request.site) });
      const act = requireAttribution(context, put.reason);
      const { validateOnly } = request;
      const result = await writes.change(put, (before) => decidePut(before, put, act), context, validateOnly);
      if (!validateOnly) logChange(context, 'article', articleId(put), result);
      const notices = await draftNotices([put], context.signal);
      const article = { ...toWireRecord(result.article), draft: notices.get(articleId(put)) };
      return { article, outcome: toWireOutcome(result.outcome) };
    },

    async getArticleRecord(request, { signal }) {
      const name = requireName(request);
      const [article, history, notices] = await Promise.all([
        reads.record(name, signal),
        reads.history(name, signal),
        draftNotices([name], signal),
      ]);
      if (article === undefined) throw unknownArticle();
      return { article: { ...toWireWholeRecord(article, history), draft: notices.get(articleId(name)) } };
    },

    async listArticleRecords(request, { signal }) {
      const { query = '', tag = '', byTitle = false, missed = false } = request;
      const filter = {
        site: optionalSite(request.site),
        state: optionalState(request.state),
        ...checkRecordFilter(query, tag),
        names: missed ? await missedDrafts(signal) : undefined,
      };
      const scope = ['records', filter.site ?? null, filter.state ?? null, query, tag, Number(byTitle), Number(missed)];
      const page = byTitle
        ? await reads.recordsByTitle(filter, readOffset(request, scope), signal)
        : await reads.records(filter, readPageQuery(request, scope), signal);
      const notices = await draftNotices(page.items, signal);
      const articles = page.items.map((each) => ({
        ...toWireRecord(each),
        draft: notices.get(articleId(each)),
      }));
      const { next } = page;
      return {
        articles,
        nextPageToken: typeof next === 'number' ? encodePageToken(scope, [next]) : pageToken(next, scope),
      };
    },

    async listArticleRevisions(request, { signal }) {
      const name = requireName(request);
      const size = readPageSize(request.pageSize, pageSizes);
      const scope = ['revisions', name.site, name.slug];
      const [last] = decodePageToken(request.pageToken, scope, ['number']) ?? [];
      const { revision: current } = await requireArticle(reads, name, signal);
      const newest = last === undefined ? current : Math.min(last - 1, current);
      const found = await summariseRevisions(reads.revisions(name, newest, size + 1, signal), current);
      const page = toListPage(found, size, ({ transition }) => transition.revision);
      return {
        revisions: page.items.map(toWireRevision),
        nextPageToken: page.next === undefined ? '' : encodePageToken(scope, [page.next]),
      };
    },

    async getArticleRevision({ revision: wanted, ...request }, { signal }) {
      const article = await requireArticle(reads, requireName(request), signal);
      const [revision, before] = await Promise.all([
        requireRevision(reads, article, wanted, signal),
        reads.revision(article, wanted - 1, signal),
      ]);
      return {
        revision: toWireRevision(summariseRevision(revision, before, article.revision)),
        entry: toWireEntry(revision.article),
        body: revision.article.body,
      };
    },

    async restoreArticleRevision({ revision: wanted, expectedRevision, reason, ...request }, context) {
      const name = requireName(request);
      const act = requireAttribution(context, requireReason(reason));
      const article = await requireArticle(reads, name, context.signal);
      const revision = await requireRevision(reads, article, wanted, context.signal);
      const put = putOfRevision(revision, expectedRevision, reason);
      const result = await writes.change(name, (before) => decideRestoration(before, put, wanted, act), context);
      logChange(context, 'article', articleId(name), result);
      return { article: toWireRecord(result.article), outcome: toWireOutcome(result.outcome) };
    },

    publishArticle: moveArticle(writes, decidePublish),
    archiveArticle: moveArticle(writes, decideArchive),
    returnArticleToDraft: moveArticle(writes, decideDraft),

    async deleteArticle({ expectedRevision, reason, ...request }, context) {
      const name = requireName(request);
      const act = { ...requireAttribution(context, requireReason(reason)), requestId: context.requestId };
      const removal = await writes.remove(name, act, (before) => decideRemoval(before, expectedRevision, act), context);
      if (removal !== undefined) logChange(context, 'article', articleId(name), removal);
      return {};
    },
  };
}

/** The size of a page of a list that no index sorts, and how many items are before it. */
function readOffset({ pageSize, pageToken }: ListArticleRecordsRequest, scope: PageScope): OffsetQuery {
  const [skip = 0] = decodePageToken(pageToken, scope, ['number']) ?? [];
  return { size: readPageSize(pageSize), skip };
}

/** Makes the handler of a method that moves an article to another state. */
function moveArticle(
  writes: ArticleWrites,
  decide: (before: Article | undefined, expectedRevision: number, act: Attribution) => ArticleOutcome,
): Handlers<EditorialServiceService>['publishArticle'] {
  return async ({ expectedRevision, reason, ...request }, context) => {
    const name = requireName(request);
    const act = requireAttribution(context, requireReason(reason));
    const result = await writes.change(name, (before) => decide(before, expectedRevision, act), context);
    logChange(context, 'article', articleId(name), result);
    return { article: toWireRecord(result.article) };
  };
}

/** A page is small, because the texts of its revisions are read to compare them. */
const pageSizes = { usual: 20, most: 50 };

async function requireArticle(reads: ArticleReads, name: ArticleName, signal: AbortSignal) {
  const article = await reads.record(name, signal);
  if (article === undefined) throw unknownArticle();
  return article;
}

async function requireRevision(reads: ArticleReads, article: Article, wanted: number, signal: AbortSignal) {
  const revision = await reads.revision(article, wanted, signal);
  if (revision !== undefined) return revision;
  throw new KnowledgeError('not_found', `There is no revision ${wanted} of this article; it has ${article.revision}.`);
}
