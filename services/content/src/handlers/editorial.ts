import type {
  ArticleDraftNotice,
  EditorialServiceService,
  ListArticleRecordsRequest,
  PublicationServiceService,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  type Attribution,
  decodePageToken,
  encodePageToken,
  isUuid,
  KnowledgeError,
  type PageScope,
  pageToken,
  readPageQuery,
  readPageSize,
  toListPage,
} from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { optionalSite, requireSite, toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import {
  type Article,
  type ArticleName,
  type ArticleOutcome,
  checkArticlePut,
  unknownArticle,
} from '../domain/article.js';
import { decideArchive, decideDraft, decidePublish, decidePut, decideRemoval } from '../domain/article-decisions.js';
import {
  decideRestoration,
  putOfRevision,
  summariseRevision,
  summariseRevisions,
} from '../domain/article-revisions.js';
import { isSlug, requireReason } from '../domain/bounds.js';
import { type Change, factsOfChange } from '../domain/change-log.js';
import { checkHighlights, joinHighlights } from '../domain/highlights.js';
import { checkRecordFilter } from '../domain/listing.js';
import {
  checkObjectPut,
  checkPublication,
  checkRetraction,
  decideObjectPut,
  decideObjectWithdrawal,
  decidePublication,
  decideRetraction,
} from '../domain/object-decisions.js';
import type { ArticleReads, OffsetQuery } from '../store/article-reads.js';
import type { ArticleWrites } from '../store/article-writes.js';
import type { HighlightStore } from '../store/highlights.js';
import type { ObjectStore } from '../store/objects.js';
import {
  logChange,
  optionalKind,
  optionalState,
  requireKind,
  toWireEntry,
  toWireHighlights,
  toWireObjectEntry,
  toWireOutcome,
  toWireRecord,
  toWireRevision,
  toWireSubject,
  toWireWholeRecord,
} from './wire.js';

/** The parts that the handlers for editors use. */
interface EditorialDependencies {
  readonly reads: ArticleReads;
  readonly writes: ArticleWrites;
  readonly highlights: HighlightStore;
  readonly objects: ObjectStore;
  /** Reads what listings say about the drafts of these articles. The keys are `site/slug`. */
  readonly draftNotices: (
    names: readonly ArticleName[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, ArticleDraftNotice>>;
  /** Names the articles whose draft lost its time. */
  readonly missedDrafts: (signal: AbortSignal) => Promise<readonly ArticleName[]>;
  readonly editorial: WatchedLog<Change>;
}

export function editorialHandlers({
  reads,
  writes,
  highlights,
  objects,
  draftNotices,
  missedDrafts,
  editorial,
}: EditorialDependencies): Handlers<EditorialServiceService> {
  return {
    async putArticle(request, context) {
      const put = checkArticlePut({ ...request, site: optionalSite(request.site) });
      const act = requireAttribution(context, put.reason);
      const change = request.validateOnly ? writes.preview : writes.change;
      const result = await change(put, (before) => decidePut(before, put, act), context);
      if (!request.validateOnly) logChange(context, 'article', `${put.site}/${put.slug}`, result);
      const notices = await draftNotices([put], context.signal);
      const article = { ...toWireRecord(result.article), draft: notices.get(`${put.site}/${put.slug}`) };
      return { article, outcome: toWireOutcome(result.outcome) };
    },

    async getArticleRecord({ site, slug }, { signal }) {
      const name = { site: requireSite(site), slug };
      if (!isSlug(slug)) throw unknownArticle();
      const [article, history, notices] = await Promise.all([
        reads.record(name, signal),
        reads.history(name, signal),
        draftNotices([name], signal),
      ]);
      if (article === undefined) throw unknownArticle();
      return { article: { ...toWireWholeRecord(article, history), draft: notices.get(`${name.site}/${slug}`) } };
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
        draft: notices.get(`${each.site}/${each.slug}`),
      }));
      const { next } = page;
      return {
        articles,
        nextPageToken: typeof next === 'number' ? encodePageToken(scope, [next]) : pageToken(next, scope),
      };
    },

    async listArticleRevisions({ site, slug, ...request }, { signal }) {
      const name = { site: requireSite(site), slug };
      const size = readPageSize(request.pageSize, pageSizes);
      const scope = ['revisions', name.site, slug];
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

    async getArticleRevision({ site, slug, revision: wanted }, { signal }) {
      const article = await requireArticle(reads, { site: requireSite(site), slug }, signal);
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

    async restoreArticleRevision({ site, slug, revision: wanted, expectedRevision, reason }, context) {
      const name = { site: requireSite(site), slug };
      const act = requireAttribution(context, requireReason(reason));
      const article = await requireArticle(reads, name, context.signal);
      const revision = await requireRevision(reads, article, wanted, context.signal);
      const put = putOfRevision(revision, expectedRevision, reason);
      const result = await writes.change(name, (before) => decideRestoration(before, put, wanted, act), context);
      logChange(context, 'article', `${name.site}/${slug}`, result);
      return { article: toWireRecord(result.article), outcome: toWireOutcome(result.outcome) };
    },

    publishArticle: moveArticle(writes, decidePublish),
    archiveArticle: moveArticle(writes, decideArchive),
    returnArticleToDraft: moveArticle(writes, decideDraft),

    async deleteArticle({ site, slug, expectedRevision, reason }, context) {
      const name = { site: requireSite(site), slug };
      const act = { ...requireAttribution(context, requireReason(reason)), requestId: context.requestId };
      if (!isSlug(slug)) throw unknownArticle();
      const removal = await writes.remove(name, act, (before) => decideRemoval(before, expectedRevision, act), context);
      if (removal !== undefined) logChange(context, 'article', `${name.site}/${slug}`, removal);
      return {};
    },

    async setHighlights(request, context) {
      const site = requireSite(request.site);
      const choices = request.highlights.map(({ slug, editorNote }) => ({ slug, note: editorNote }));
      checkHighlights(choices);
      const act = requireAttribution(context);
      const { expectedRevision = 0 } = request;
      const published = await highlights.set({ site, choices, expectedRevision }, act, context);
      context.log.info({ site, count: choices.length, actor: act.actor }, 'highlights set');
      return { highlights: toWireHighlights(joinHighlights(choices, published)) };
    },

    async putObject({ validateOnly, reason, ...sent }, context) {
      const put = checkObjectPut({ ...sent, site: optionalSite(sent.site), kind: optionalKind(sent.kind) });
      const act = requireAttribution(context, requireReason(reason));
      const change = validateOnly ? objects.preview : objects.change;
      const result = await change(put.id, (before) => decideObjectPut(before, put, act), context);
      if (!validateOnly) logChange(context, 'object', put.id, result);
      return { object: toWireObjectEntry(result.object), outcome: toWireOutcome(result.outcome) };
    },

    async withdrawObject({ id, reason }, context) {
      const act = requireAttribution(context, requireReason(reason));
      if (!isUuid(id)) throw new KnowledgeError('not_found', 'There is no such object.');
      const result = await objects.change(id, (before) => decideObjectWithdrawal(before, act), context);
      logChange(context, 'object', id, result);
      return {};
    },

    watchEditorial: watchHandler(editorial, {
      factsOf: factsOfChange,
      toWire: ({ subject, site, key, transition }, cursor) => ({
        cursor,
        key,
        subject: toWireSubject(subject),
        site: toWireSite(site),
        transition: toWireTransition(transition),
      }),
    }),
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
  return async ({ site, slug, expectedRevision, reason }, context) => {
    const name = { site: requireSite(site), slug };
    const act = requireAttribution(context, requireReason(reason));
    if (!isSlug(slug)) throw unknownArticle();
    const result = await writes.change(name, (before) => decide(before, expectedRevision, act), context);
    logChange(context, 'article', `${name.site}/${slug}`, result);
    return { article: toWireRecord(result.article) };
  };
}

/** A page is small, because the texts of its revisions are read to compare them. */
const pageSizes = { usual: 20, most: 50 };

async function requireArticle(reads: ArticleReads, name: ArticleName, signal: AbortSignal) {
  const article = isSlug(name.slug) ? await reads.record(name, signal) : undefined;
  if (article === undefined) throw unknownArticle();
  return article;
}

async function requireRevision(reads: ArticleReads, article: Article, wanted: number, signal: AbortSignal) {
  const revision = await reads.revision(article, wanted, signal);
  if (revision !== undefined) return revision;
  throw new KnowledgeError('not_found', `There is no revision ${wanted} of this article; it has ${article.revision}.`);
}

export function publicationHandlers({ objects }: { objects: ObjectStore }): Handlers<PublicationServiceService> {
  return {
    async publishObject(request, context) {
      const site = requireSite(request.site);
      const publication = checkPublication({ ...request, site, kind: requireKind(request.kind) });
      const { id } = publication;
      const act = requireAttribution(context);
      const result = await objects.change(id, (before) => decidePublication(before, publication, act), context);
      logChange(context, 'object', id, result);
      return { appliedRevision: result.object.revision };
    },

    async retractObject(request, context) {
      const retraction = checkRetraction({ ...request, site: requireSite(request.site) });
      const { id } = retraction;
      const act = requireAttribution(context, retraction.reason);
      const result = await objects.change(id, (before) => decideRetraction(before, retraction, act), context);
      logChange(context, 'object', id, result);
      return { appliedRevision: result.object.revision };
    },
  };
}
