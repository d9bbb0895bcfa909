import type { Article, ArticleDecision, ArticleName } from '../domain/article.js';
import { articleId, fromArticle, fromRevision, toArticle } from './article-documents.js';
import type { Collections } from './documents.js';
import type { Writer } from './writer.js';

/** Changes of articles. */
export interface ArticleWrites {
  /**
   * Decides on the article as it is now and stores what was decided, with its revision, the counts and the log, in one
   * transaction. The decision may be asked for more than once.
   */
  change(
    name: ArticleName,
    decide: (before: Article | undefined) => ArticleDecision,
    signal: AbortSignal,
  ): Promise<ArticleDecision>;
}

/** Changes in these collections. */
export function createArticleWrites(writer: Writer, { articles, revisions }: Collections): ArticleWrites {
  return {
    change: (name, decide, signal) =>
      writer.write(async ({ scope, append }) => {
        const found = await articles.findOne({ _id: articleId(name) }, scope);
        const decision = decide(found === null ? undefined : toArticle(found));
        if (decision.outcome === 'unchanged') return decision;
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
  };
}

function shown(article: Article | undefined): number {
  return article?.state === 'published' ? 1 : 0;
}
