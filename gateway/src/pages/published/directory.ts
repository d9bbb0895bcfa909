import type { Content } from '../../api/content.js';
import type { CallContext } from '../../upstream/calls.js';
import type { SiteName } from '../../upstream/sites.js';
import type { ArticleEntry } from './entries.js';
import { parseList } from './listings.js';

/**
 * Numbered lists of a site's newest articles by tag, language and author, from the cached index that agents read.
 * Older articles than `reach` are found by search, by cursor and in the sitemap.
 */
export type Directory = ReturnType<typeof createDirectory>;

/** Selects articles of a list; an empty filter is not set. */
export interface ArticleFilters {
  readonly tag: string;
  readonly language: string;
  readonly author: string;
}

/** The filters and the range of a list of articles. */
interface DirectoryQuery extends ArticleFilters {
  readonly site: SiteName;
  /** The position of the first article, counted from 0. */
  readonly from: number;
  readonly count: number;
}

/** The requested range of a list. */
export interface ArticleList {
  readonly entries: readonly ArticleEntry[];
  /** Null if the matches were not counted. */
  readonly total: number | null;
  /** Whether the next page by number exists. */
  readonly hasMore: boolean;
  /** The cursor of the articles after those that have page numbers; empty if there are none. */
  readonly cursor: string;
}

/** The articles that were published directly after and before one. */
export interface AdjacentArticles {
  readonly newer?: ArticleLink | undefined;
  readonly older?: ArticleLink | undefined;
}

/** What a link to an article shows. */
export type ArticleLink = Pick<ArticleEntry, 'slug' | 'title' | 'human_url' | 'language'>;

/** A tag, language or author, with its number of articles. */
export interface Facet {
  readonly name: string;
  readonly count: number;
}

/** All values of the filters, the most used first. */
export interface Facets {
  readonly tags: readonly Facet[];
  readonly languages: readonly Facet[];
  readonly authors: readonly Facet[];
  /** Whether all articles of the site were counted. */
  readonly isWhole: boolean;
}

const listingSize = 200;
const reach = 2_000;

/** Creates a directory, which parses each cached list of the index only once. */
export function createDirectory(content: Pick<Content, 'index'>) {
  const parsedListings = new WeakMap<Buffer, ParsedListing>();

  async function* listingsOf(site: SiteName, tag: string, context: CallContext): AsyncGenerator<ParsedListing> {
    const query = { site, tag, limit: listingSize, q: '', updatedSince: undefined };
    for (let cursor = '', read = 0; read < reach; read += listingSize) {
      const { body } = await content.index({ ...query, cursor }, context);
      const part = parsedListings.get(body) ?? parseListing(body);
      parsedListings.set(body, part);
      yield part;
      if (part.next === '') return;
      cursor = part.next;
    }
  }

  return {
    async list(query: DirectoryQuery, context: CallContext): Promise<ArticleList> {
      const { site, tag, language, author, from, count } = query;
      const entries: ArticleEntry[] = [];
      const isFiltered = language !== '' || author !== '';
      let [matched, cursor] = [0, ''];
      let whole: number | null = null;
      for await (const part of listingsOf(site, tag, context)) {
        const matching = part.facts.flatMap((each, at) => (matches(each, language, author) ? [at] : []));
        const wanted = matching.slice(Math.max(0, from - matched), Math.max(0, from + count - matched));
        if (wanted.length > 0) {
          const all = entriesOf(part.body);
          entries.push(...wanted.flatMap((at) => all[at] ?? []));
        }
        matched += matching.length;
        cursor = part.next;
        whole = isFiltered ? null : part.total;
        // If the index has counted all matches, no further listing is needed.
        if (whole !== null && matched > from + count) break;
      }
      return {
        entries,
        total: whole ?? (cursor === '' ? matched : null),
        hasMore: matched > from + count,
        cursor: isFiltered ? '' : cursor,
      };
    },
    async facets(site: SiteName, context: CallContext): Promise<Facets> {
      const [tags, languages, authors] = [counter(), counter(), counter()];
      let isWhole = true;
      for await (const { facts, next } of listingsOf(site, '', context)) {
        for (const each of facts) {
          each.tags.forEach(tags.add);
          languages.add(each.language);
          authors.add(each.author);
        }
        isWhole = next === '';
      }
      return { tags: tags.sorted(), languages: languages.sorted(), authors: authors.sorted(), isWhole };
    },
    async adjacent(site: SiteName, slug: string, context: CallContext): Promise<AdjacentArticles> {
      let newer: Facts | undefined;
      let isNext = false;
      for await (const { facts } of listingsOf(site, '', context)) {
        if (isNext) return { newer, older: facts[0] };
        const at = facts.findIndex((each) => each.slug === slug);
        isNext = at >= 0 && at === facts.length - 1;
        // The article before the first one of a listing is the last one of the listing before.
        newer = facts[at < 0 ? facts.length - 1 : at - 1] ?? newer;
        if (at >= 0 && !isNext) return { newer, older: facts[at + 1] };
      }
      return isNext ? { newer } : {};
    },
  };
}

/** The parts of one index listing that the lists need. */
interface ParsedListing {
  readonly body: Buffer;
  readonly facts: readonly Facts[];
  /** The number of all matches; null if the index did not count them. */
  readonly total: number | null;
  /** The cursor of the next listing; empty at the end. */
  readonly next: string;
}

/** What lists need of all articles. Parsing a listing again, for the rest, takes a millisecond. */
type Facts = Pick<ArticleEntry, 'slug' | 'title' | 'human_url' | 'tags' | 'language' | 'author'>;

function parseListing(body: Buffer): ParsedListing {
  const { entries, next_cursor, total = null } = parseList<ArticleEntry>(body);
  const facts = entries.map(({ slug, title, human_url, tags, language, author }) => {
    return { slug, title, human_url, tags, language, author };
  });
  return { body, facts, total, next: next_cursor ?? '' };
}

function entriesOf(body: Buffer): readonly ArticleEntry[] {
  return parseList<ArticleEntry>(body).entries;
}

function matches(facts: Facts, language: string, author: string) {
  return (language === '' || facts.language === language) && (author === '' || facts.author === author);
}

function counter() {
  const counts = new Map<string, number>();
  return {
    add: (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1),
    sorted: (): Facet[] =>
      [...counts]
        .map(([name, count]) => ({ name, count }))
        .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
  };
}
