import { type Article, type Change, ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { fromWireSite, type SiteName } from '../sites.js';

/** Names for the things on which cached responses depend. */
export const dependency = {
  /** An article: its content, and whether it exists. */
  article: (site: SiteName, slug: string): string => `article:${site}/${slug}`,
  /** All articles with a tag. Related articles are chosen from them. */
  tag: (site: SiteName, tag: string): string => `tag:${site}/${tag}`,
  /** All articles of a site. The index depends on them. */
  articles: (site: SiteName): string => `articles:${site}`,
  highlights: (site: SiteName): string => `highlights:${site}`,
  object: (id: string): string => `object:${id}`,
  /** All objects of a site. The catalog depends on them. */
  objects: (site: SiteName): string => `objects:${site}`,
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
