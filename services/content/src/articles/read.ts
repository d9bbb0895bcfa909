import { type Site, within } from '@knowledge/runtime';
import type { ChangeStream } from '../changes/stream.js';
import type { Article, ArticleName } from './domain.js';

/** A published article with its related articles. */
export interface ReadableArticle {
  readonly article: Article;
  readonly related: readonly RelatedCandidate[];
}

/** The stores and streams that `readArticles` uses. */
export interface ReadParts {
  reads: { published(names: readonly ArticleName[], signal: AbortSignal): Promise<ReadonlyMap<string, Article>> };
  tagLists: TagLists;
  changeStream: ChangeStream;
}

/**
 * Reads those articles that are published, by `site/slug`, with their related articles. The result contains every
 * change that was acknowledged before the call. So an article that was archived before is neither found nor related.
 */
export async function readArticles(
  { reads, tagLists, changeStream }: ReadParts,
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

/** The facts of an article that may be related to another one. */
export interface RelatedCandidate {
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly publishedAt: Date;
}

/**
 * Chooses at most three related articles: those with most shared tags, then the newest, then by slug. The candidates
 * are published articles of the same site. They may include the article itself and duplicates.
 */
export function chooseRelated(
  article: Pick<ArticleName, 'slug'> & { readonly tags: readonly string[] },
  candidates: Iterable<RelatedCandidate>,
): RelatedCandidate[] {
  const tags = new Set(article.tags);
  const shared = new Map<string, Ranked>();
  for (const candidate of candidates) {
    if (candidate.slug === article.slug || shared.has(candidate.slug)) continue;
    const common = candidate.tags.filter((tag) => tags.has(tag)).length;
    if (common > 0) shared.set(candidate.slug, { candidate, common });
  }
  return [...shared.values()]
    .sort(byRank)
    .slice(0, maxRelated)
    .map(({ candidate }) => candidate);
}

interface Ranked {
  readonly candidate: RelatedCandidate;
  readonly common: number;
}

const maxRelated = 3;

function byRank(a: Ranked, b: Ranked) {
  return (
    b.common - a.common ||
    b.candidate.publishedAt.getTime() - a.candidate.publishedAt.getTime() ||
    (a.candidate.slug < b.candidate.slug ? -1 : 1)
  );
}

export interface SiteTag {
  readonly site: Site;
  readonly tag: string;
}

export type TagLists = ReturnType<typeof createTagLists>;

/** The key under which the list of a tag is cached. */
export function tagKey({ site, tag }: SiteTag): string {
  return `${site}/${tag}`;
}

/**
 * The length of a list. If thousands of articles have a tag, only the newest of them can be related by it. Older ones
 * are found if they share a rarer tag.
 */
const listLength = 32;
/** The largest number of cached lists; each has about 15 kB. */
const maxLists = 2000;
const loadsAtOnce = 16;
const loadLimitMs = 1500;

interface TagSource {
  /** Reads the newest published articles of a tag. */
  tagged(site: Site, tag: string, limit: number, signal: AbortSignal): Promise<RelatedCandidate[]>;
}

/**
 * The newest published articles of each tag, from which related articles are chosen. It caches the list of a tag until
 * an article with this tag changes.
 */
export function createTagLists(source: TagSource, changeStream: ChangeStream) {
  const lists = new Map<string, readonly RelatedCandidate[]>();
  const loading = new Map<string, Promise<readonly RelatedCandidate[]>>();

  // A change during a load is newer than the waiting calls. So these calls get the loaded list, but it is not cached.
  const forget = (key: string) => {
    lists.delete(key);
    loading.delete(key);
  };
  changeStream.subscribe({
    change: ({ subject, site, tags }) => {
      if (subject === 'article') for (const tag of tags) forget(tagKey({ site, tag }));
    },
    reset: () => {
      lists.clear();
      loading.clear();
    },
  });

  const load = (key: string, { site, tag }: SiteTag) => {
    const running = loading.get(key);
    if (running !== undefined) return running;
    // Several callers may wait for this load, so the signal of one caller must not end it.
    const list = within(loadLimitMs, (signal) => source.tagged(site, tag, listLength, signal));
    loading.set(key, list);
    const settle = (kept?: readonly RelatedCandidate[]) => {
      if (loading.get(key) !== list) return;
      loading.delete(key);
      if (kept !== undefined) keep(key, kept);
    };
    list.then(settle, () => settle());
    return list;
  };

  const keep = (key: string, list: readonly RelatedCandidate[]) => {
    lists.set(key, list);
    const [oldest] = lists.size > maxLists ? lists.keys() : [];
    if (oldest !== undefined) lists.delete(oldest);
  };

  return {
    /**
     * Returns the lists of these tags, by `tagKey`. They contain every change that was acknowledged before the last sync
     * of the change stream. So a caller syncs first and then reads the lists.
     */
    async read(tags: Iterable<SiteTag>): Promise<ReadonlyMap<string, readonly RelatedCandidate[]>> {
      const found = new Map<string, readonly RelatedCandidate[]>();
      const missing = new Map<string, SiteTag>();
      for (const tag of tags) {
        const key = tagKey(tag);
        const list = lists.get(key);
        if (list === undefined) missing.set(key, tag);
        else found.set(key, list);
      }
      const wanted = [...missing];
      for (let start = 0; start < wanted.length; start += loadsAtOnce) {
        const loads = wanted.slice(start, start + loadsAtOnce).map(async ([key, tag]) => {
          found.set(key, await load(key, tag));
        });
        await Promise.all(loads);
      }
      return found;
    },
  };
}
