import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleReads, SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { CallOptions, GrpcClient } from '@knowledge/runtime/client';

/** An article that was read, and its title; undefined if readers no longer get it. */
export interface ReadArticle extends ArticleReads {
  readonly title: string | undefined;
}

interface Clients {
  readonly searches: Pick<GrpcClient<typeof SearchCountServiceService>, 'listMostRead'>;
  readonly content: Pick<GrpcClient<typeof ContentServiceService>, 'getArticles'>;
}

/** The number of articles in the list. It is short, because their titles come with their texts. */
const limit = 20;

/** The articles of a site that were read most. */
export async function readMost({ searches, content }: Clients, site: Site, call: CallOptions): Promise<ReadArticle[]> {
  const { articles } = await searches.listMostRead({ site, limit }, call);
  if (articles.length === 0) return [];
  const items = articles.map(({ slug }) => ({ site, slug, context: undefined }));
  const { results } = await content.getArticles({ items }, call);
  return articles.map((each, at) => {
    const outcome = results[at]?.outcome;
    return { ...each, title: outcome?.$case === 'article' ? outcome.value.entry?.title : undefined };
  });
}
