import type {
  Article,
  CommunityObject,
  GetArticlesItem,
  GetArticlesResult,
} from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { createCallBatcher, itemContext, requireOutcome } from '../call-batcher.js';
import { type CallContext, callOptions } from '../call-context.js';
import type { Clients } from '../clients.js';
import { type SiteName, toWireSite } from '../sites.js';

/** Reads single articles and objects from the content service. */
export interface ContentReader {
  /** Reads a published article. Throws not_found. */
  readArticle(site: SiteName, slug: string, call: CallContext): Promise<Article>;
  /** Reads a published object. Throws not_found. */
  readObject(id: string, call: CallContext): Promise<CommunityObject>;
  close(): void;
}

/** Makes the reader. Articles that are requested at the same time are fetched in one batch. */
export function createContentReader(client: Clients['content']): ContentReader {
  const articles = createCallBatcher<GetArticlesItem, GetArticlesResult>({
    send: async (items, options) => (await client.getArticles({ items }, options)).results,
    maxItems: 64,
  });

  const readArticle = async (site: SiteName, slug: string, call: CallContext): Promise<Article> => {
    const item = { context: itemContext(call), site: toWireSite(site), slug };
    const { outcome } = await articles.add(item, call);
    try {
      return requireOutcome(outcome).value;
    } catch (error) {
      // Content leaves out items for which its response has no space. The first item always fits, so this loop ends.
      if (error instanceof KnowledgeError && error.metadata?.['batch'] === 'full') return readArticle(site, slug, call);
      throw error;
    }
  };

  const readObject = async (id: string, call: CallContext): Promise<CommunityObject> => {
    const { object } = await client.getObject({ id }, callOptions(call));
    return object ?? throwNotPublished('object');
  };

  return { readArticle, readObject, close: () => articles.close() };
}

/** The kinds of content that a not_found error can name. */
export type ContentKind = 'article' | 'object' | 'page';

/** Where an article can be read. */
export interface ArticlePlace {
  readonly site: SiteName;
  readonly path: string;
}

/** Throws not_found for content that is not published. For an article it names the other site, or a search for the slug. */
export function throwNotPublished(what: ContentKind, elsewhere?: ArticlePlace, slug = '<words>'): never {
  if (elsewhere !== undefined) {
    const { site, path } = elsewhere;
    throw new KnowledgeError(
      'not_found',
      `This site has no published article of this name, but ${site} has one: ${path}`,
    );
  }
  const where =
    what === 'article'
      ? `Search for its words: /api/v1/search?site=all&fields=brief&q=${slug.replaceAll('-', '+')}`
      : 'See /api/v1/objects/catalog for the catalog.';
  throw new KnowledgeError('not_found', `No published ${what} has this name. ${where}`);
}
