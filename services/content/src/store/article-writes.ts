import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Article, ArticleDecision, ArticleName, Removal } from '../domain/article.js';
import { articleId, fromArticle, fromRevision, toArticle } from './article-documents.js';
import type { Collections } from './documents.js';
import { indexes } from './schema.js';
import type { Writer } from './writer.js';

/** Changes of articles. */
export interface ArticleWrites {
  /**
   * Decides on the article as it is now and stores what was decided, with its revision, the counts and the log, in one
   * transaction. The decision may be asked for more than once; undefined stores nothing.
   */
  change<Decision extends ArticleDecision | undefined>(
    name: ArticleName,
    decide: (before: Article | undefined) => Decision,
    signal: AbortSignal,
  ): Promise<Decision>;
  /** What `change` would decide, with nothing stored. */
  preview(
    name: ArticleName,
    decide: (before: Article | undefined) => ArticleDecision,
    signal: AbortSignal,
  ): Promise<ArticleDecision>;
  /**
   * Deletes an article with all its revisions, in one transaction; the log keeps the transition that was decided. Undefined if
   * this very request deleted it before.
   */
  remove(
    name: ArticleName,
    request: RemovalRequest,
    decide: (before: Article | undefined) => Removal,
    signal: AbortSignal,
  ): Promise<Removal | undefined>;
}

/** Who asks for a deletion, and in which request. */
interface RemovalRequest {
  readonly actor: string;
  readonly requestId: string;
}

/** Changes in these collections. */
export function createArticleWrites(writer: Writer, { articles, revisions, changes }: Collections): ArticleWrites {
  const isDeletedBy = async ({ site, slug }: ArticleName, request: RemovalRequest, scope: TransactionScope) => {
    const { actor, requestId } = request;
    const by = { 'transition.to': 'deleted', 'transition.actor': actor, 'transition.requestId': requestId };
    return (await changes.findOne({ site, key: slug, ...by }, { ...scope, hint: indexes.deletions })) !== null;
  };

  return {
    change: (name, decide, signal) =>
      writer.write(async ({ scope, append }) => {
        const found = await articles.findOne({ _id: articleId(name) }, scope);
        const decision = decide(found === null ? undefined : toArticle(found));
        if (decision === undefined || decision.outcome === 'unchanged') return decision;
        const { before, article, transition } = decision;
        await append(
          {
            subject: 'article',
            site: article.site,
            key: article.slug,
            tags: [...new Set([...(before?.tags ?? []), ...article.tags])],
            transition,
          },
          { articles: { [article.site]: shown(article) - shown(before) } },
        );
        await revisions.insertOne(fromRevision(article, transition), scope);
        const document = fromArticle(article);
        if (before === undefined) await articles.insertOne(document, scope);
        else await articles.replaceOne({ _id: document._id }, document, scope);
        return decision;
      }, signal),

    async preview(name, decide, signal) {
      const found = await articles.findOne({ _id: articleId(name) }, { signal });
      return decide(found === null ? undefined : toArticle(found));
    },

    remove: (name, request, decide, signal) =>
      writer.write(async ({ scope, append }) => {
        const _id = articleId(name);
        const found = await articles.findOne({ _id }, scope);
        if (found === null && (await isDeletedBy(name, request, scope))) return undefined;
        const removal = decide(found === null ? undefined : toArticle(found));
        const { tags } = removal;
        const transition = { ...removal.transition, requestId: request.requestId };
        await append({ subject: 'article', site: name.site, key: name.slug, tags: [...tags], transition }, {});
        await revisions.deleteMany({ article: _id }, scope);
        await articles.deleteOne({ _id }, scope);
        return removal;
      }, signal),
  };
}

function shown(article: Article | undefined): number {
  return article?.state === 'published' ? 1 : 0;
}
