import {
  type Article,
  type Change,
  ChangeSubject,
  type GetArticlesItem,
  type GetArticlesResult,
} from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { type CallContext, callOptions, createCallBatcher, itemContext, requireOutcome } from '../calls.js';
import type { Clients } from '../clients.js';
import { fromWireSite, type SiteName, toWireSite } from '../sites.js';

/** Reads single articles and objects from the content service. */
export type ContentReader = ReturnType<typeof createContentReader>;

/** Makes the reader. Articles that are requested at the same time are fetched in one batch. */
export function createContentReader(client: Clients['content']) {
  const articles = createCallBatcher<GetArticlesItem, GetArticlesResult>({
    send: async (items, options) => (await client.getArticles({ items }, options)).results,
    maxItems: 64,
  });

  /** Reads a published article. Throws not_found. */
  const readArticle = async (site: SiteName, slug: string, call: CallContext) => {
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

  /** Reads a published object. Throws not_found. */
  const readObject = async (id: string, call: CallContext) => {
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
export function throwNotPublished(what: ContentKind, slug = '', elsewhere?: ArticlePlace): never {
  if (elsewhere !== undefined) {
    const { site, path } = elsewhere;
    throw new KnowledgeError(
      'not_found',
      `This site has no published article of this name, but ${site} has one: ${path}`,
    );
  }
  const words = slug.slice(0, 100).match(/[\p{L}\p{N}]+/gu) ?? ['<words>'];
  const where =
    what === 'article'
      ? `Search for its words: /api/v1/search?site=all&fields=brief&q=${words.map(encodeURIComponent).join('+')}`
      : 'See /api/v1/objects/catalog for the catalog.';
  throw new KnowledgeError('not_found', `No published ${what} has this name. ${where}`);
}

/** Names for the things on which cached responses depend. */
export const dependency = {
  /** An article: its content, and whether it exists. */
  article: (site: SiteName, slug: string) => `article:${site}/${slug}`,
  /** All articles with a tag. Related articles are chosen from them. */
  tag: (site: SiteName, tag: string) => `tag:${site}/${tag}`,
  /** All articles of a site. The index depends on them. */
  articles: (site: SiteName) => `articles:${site}`,
  highlights: (site: SiteName) => `highlights:${site}`,
  object: (id: string) => `object:${id}`,
  /** All objects of a site. The catalog depends on them. */
  objects: (site: SiteName) => `objects:${site}`,
  /** All texts of both sites, and the synonyms. Every search depends on them, since each text counts in the order of hits. */
  search: 'search',
};

/** Lists what an article with its body depends on: itself, and the tags by which related articles are chosen. */
export function dependenciesOfArticle({ entry }: Article, site: SiteName, slug: string): string[] {
  return [dependency.article(site, slug), ...(entry?.tags ?? []).map((tag) => dependency.tag(site, tag))];
}

/** Lists the dependencies that a change makes outdated. */
export function dependenciesOf(change: Change): string[] {
  // Synonyms belong to no site.
  if (change.subject === ChangeSubject.SYNONYMS) return [dependency.search];
  const site = fromWireSite(change.site);
  switch (change.subject) {
    case ChangeSubject.ARTICLE:
      return [
        dependency.article(site, change.key),
        dependency.articles(site),
        dependency.search,
        ...change.tags.map((tag) => dependency.tag(site, tag)),
      ];
    case ChangeSubject.ARTICLE_DRAFT:
      return [];
    case ChangeSubject.HIGHLIGHTS:
      return [dependency.highlights(site)];
    case ChangeSubject.OBJECT:
      return [dependency.object(change.key), dependency.objects(site), dependency.search];
    case ChangeSubject.UNSPECIFIED:
    case ChangeSubject.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A change without a subject.');
  }
}
