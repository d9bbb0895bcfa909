import type { Article, ArticleName } from './article.js';
import type { ChangeStream } from './change-stream.js';
import { chooseRelated, type RelatedCandidate } from './related.js';
import { type TagLists, tagKey } from './tag-lists.js';

/** A published article with its related articles. */
export interface ReadableArticle {
  readonly article: Article;
  readonly related: readonly RelatedCandidate[];
}

/** The stores and streams that `readArticles` uses. */
export interface ReadDependencies {
  reads: { published(names: readonly ArticleName[], signal: AbortSignal): Promise<ReadonlyMap<string, Article>> };
  tagLists: TagLists;
  changeStream: ChangeStream;
}

/**
 * Reads those articles that are published, by `site/slug`, with their related articles. The result contains every
 * change that was acknowledged before the call. So an article that was archived before is neither found nor related.
 */
export async function readArticles(
  { reads, tagLists, changeStream }: ReadDependencies,
  names: readonly ArticleName[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadableArticle>> {
  const [found] = await Promise.all([reads.published(names, signal), changeStream.sync()]);
  const articles = [...found];
  const tags = articles.flatMap(([, { site, tags }]) => tags.map((tag) => ({ site, tag })));
  const lists = await tagLists.read(tags);
  return new Map(
    articles.map(([name, article]) => {
      const candidates = article.tags.flatMap((tag) => lists.get(tagKey({ site: article.site, tag })) ?? []);
      return [name, { article, related: chooseRelated(article, candidates) }];
    }),
  );
}
