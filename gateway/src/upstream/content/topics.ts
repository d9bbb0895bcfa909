import { type Change, ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { KnowledgeError } from '@knowledge/runtime';
import { fromProtoSite, type SiteName } from '../sites.js';

/** What held answers depend on, as names. */
export const topics = {
  /** One article: its bytes, its existence. */
  article: (site: SiteName, slug: string): string => `article:${site}/${slug}`,
  /** Any article with a tag: what related articles are chosen from. */
  tag: (site: SiteName, tag: string): string => `tag:${site}/${tag}`,
  /** Any article of a site: its index. */
  articles: (site: SiteName): string => `articles:${site}`,
  highlights: (site: SiteName): string => `highlights:${site}`,
  object: (id: string): string => `object:${id}`,
  /** Any object of a site: its catalog. */
  objects: (site: SiteName): string => `objects:${site}`,
};

/** Every topic that a change touches. */
export function topicsOf(change: Change): string[] {
  const site = fromProtoSite(change.site);
  switch (change.subject) {
    case ChangeSubject.ARTICLE:
      return [
        topics.article(site, change.key),
        topics.articles(site),
        ...change.tags.map((tag) => topics.tag(site, tag)),
      ];
    case ChangeSubject.HIGHLIGHTS:
      return [topics.highlights(site)];
    case ChangeSubject.OBJECT:
      return [topics.object(change.key), topics.objects(site)];
    case ChangeSubject.UNSPECIFIED:
    case ChangeSubject.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A change without a subject.');
  }
}
