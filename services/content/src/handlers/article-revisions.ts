import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { decodePageToken, encodePageToken, KnowledgeError, readPageSize, toListPage } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import type { Article, ArticleName } from '../domain/article.js';
import { decideRestoration, putOfRevision } from '../domain/article-restoration.js';
import type { ArticleRevision } from '../domain/article-revision.js';
import { isSlug, requireReason } from '../domain/bounds.js';
import { summariseRevision, summariseRevisions } from '../domain/summarise-revisions.js';
import { unknownArticle } from '../domain/unknown-article.js';
import type { ArticleReads } from '../store/article-reads.js';
import type { ArticleWrites } from '../store/article-writes.js';
import { logChange } from './log-change.js';
import { toWireEntry, toWireRecord, toWireRevision } from './wire-article.js';
import { toWireOutcome } from './wire-enums.js';

/** The stores that the handlers of revisions use. */
export interface RevisionDependencies {
  readonly reads: ArticleReads;
  readonly writes: ArticleWrites;
}

type RevisionHandlers = Pick<
  Handlers<EditorialServiceService>,
  'listArticleRevisions' | 'getArticleRevision' | 'restoreArticleRevision'
>;

/** A page is small, because the texts of its revisions are read to compare them. */
const pageSizes = { usual: 20, most: 50 };

export function articleRevisionHandlers({ reads, writes }: RevisionDependencies): RevisionHandlers {
  const readArticle = async (name: ArticleName, signal: AbortSignal): Promise<Article> => {
    const article = isSlug(name.slug) ? await reads.record(name, signal) : undefined;
    if (article === undefined) throw unknownArticle();
    return article;
  };

  const readRevision = async (article: Article, wanted: number, signal: AbortSignal): Promise<ArticleRevision> => {
    const revision = await reads.revision(article, wanted, signal);
    if (revision !== undefined) return revision;
    throw new KnowledgeError(
      'not_found',
      `There is no revision ${wanted} of this article; it has ${article.revision}.`,
    );
  };

  return {
    async listArticleRevisions({ site, slug, ...request }, { signal }) {
      const name = { site: requireSite(site), slug };
      const size = readPageSize(request.pageSize, pageSizes);
      const scope = ['revisions', name.site, slug];
      const [last] = decodePageToken(request.pageToken, scope, ['number']) ?? [];
      const { revision: current } = await readArticle(name, signal);
      const newest = last === undefined ? current : Math.min(last - 1, current);
      const found = await summariseRevisions(reads.revisions(name, newest, size + 1, signal), current);
      const page = toListPage(found, size, ({ transition }) => transition.revision);
      return {
        revisions: page.items.map(toWireRevision),
        nextPageToken: page.next === undefined ? '' : encodePageToken(scope, [page.next]),
      };
    },

    async getArticleRevision({ site, slug, revision: wanted }, { signal }) {
      const article = await readArticle({ site: requireSite(site), slug }, signal);
      const [revision, before] = await Promise.all([
        readRevision(article, wanted, signal),
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
      const article = await readArticle(name, context.signal);
      const revision = await readRevision(article, wanted, context.signal);
      const put = putOfRevision(revision, expectedRevision, reason);
      const result = await writes.change(name, (before) => decideRestoration(before, put, wanted, act), context);
      logChange(context, 'article', `${name.site}/${slug}`, result);
      return { article: toWireRecord(result.article), outcome: toWireOutcome(result.outcome) };
    },
  };
}
