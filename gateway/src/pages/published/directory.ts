import type { Content } from '../../api/content.js';
import type { CallContext } from '../../upstream/call-context.js';
import type { SiteName } from '../../upstream/sites.js';
import type { ArticleEntry } from './entries.js';

/**
 * Numbered lists of a site's newest articles by tag, language and author, from the cached index of agents.
 * Older articles than `reach` are found by search, by cursor and in the sitemap.
 */
export interface Directory {
  list(query: DirectoryQuery, context: CallContext): Promise<DirectoryPart>;
  /** Every tag, language and author, the most used first. */
  facets(site: SiteName, context: CallContext): Promise<Facets>;
  /** The articles that were published directly after and before one. */
  adjacent(site: SiteName, slug: string, context: CallContext): Promise<{ newer?: ArticleEntry; older?: ArticleEntry }>;
}

/** Filters and range of a list of articles; an empty filter is not set. */
export interface DirectoryQuery {
  readonly site: SiteName;
  readonly tag: string;
  readonly language: string;
  readonly author: string;
  /** The position of the first article, counted from 0. */
  readonly from: number;
  readonly count: number;
}

/** The requested range of a list. */
export interface DirectoryPart {
  readonly entries: readonly ArticleEntry[];
  /** Null if there may be more matches than `reach`. */
  readonly total: number | null;
  readonly hasMore: boolean;
  /** The cursor of the articles beyond `reach`; empty if there are none. */
  readonly cursor: string;
}

/** A tag, language or author, with its number of articles. */
export interface Facet {
  readonly name: string;
  readonly count: number;
}

/** All values of the filters. */
export interface Facets {
  readonly tags: readonly Facet[];
  readonly languages: readonly Facet[];
  readonly authors: readonly Facet[];
  /** Whether all articles of the site were counted. */
  readonly isWhole: boolean;
}

const listingSize = 200;
const reach = 2_000;

/** Creates a directory. It parses each cached listing once, and forgets it with the listing. */
export function createDirectory(content: Pick<Content, 'index'>): Directory {
  const parsedListings = new WeakMap<Buffer, ParsedListing>();

  const listingsOf = async function* (
    site: SiteName,
    tag: string,
    context: CallContext,
  ): AsyncGenerator<ParsedListing> {
    for (let cursor = '', read = 0; read < reach; read += listingSize) {
      const { body } = await content.index(
        { site, tag, cursor, limit: listingSize, q: '', updatedSince: undefined },
        context,
      );
      const part = parsedListings.get(body) ?? parseListing(body);
      parsedListings.set(body, part);
      yield part;
      if (part.next === '') return;
      cursor = part.next;
    }
  };

  return {
    async list({ site, tag, language, author, from, count }, context) {
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
    async facets(site, context) {
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
    async adjacent(site, slug, context) {
      let before: ArticleEntry | undefined;
      let earlier: Buffer | undefined;
      let isNext = false;
      for await (const { body, facts } of listingsOf(site, '', context)) {
        if (isNext) return adjacentArticles(before, entriesOf(body)[0]);
        const at = facts.findIndex((each) => each.slug === slug);
        if (at < 0) {
          earlier = body;
          continue;
        }
        // Parsing a listing takes a millisecond, so this parses only those with one of the two articles again.
        const entries = entriesOf(body);
        before = entries[at - 1] ?? (earlier && entriesOf(earlier).at(-1));
        if (at < entries.length - 1) return adjacentArticles(before, entries[at + 1]);
        isNext = true;
      }
      return adjacentArticles(before, undefined);
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

type Facts = Pick<ArticleEntry, 'slug' | 'tags' | 'language' | 'author'>;

function parseListing(body: Buffer): ParsedListing {
  const { entries, next_cursor, total = null } = JSON.parse(body.toString()) as IndexPage;
  const facts = entries.map(({ slug, tags, language, author }) => ({ slug, tags, language, author }));
  return { body, facts, total, next: next_cursor ?? '' };
}

function entriesOf(body: Buffer): readonly ArticleEntry[] {
  return (JSON.parse(body.toString()) as IndexPage).entries;
}

interface IndexPage {
  readonly entries: readonly ArticleEntry[];
  readonly next_cursor: string | null;
  readonly total?: number | null;
}

function matches(facts: Facts, language: string, author: string): boolean {
  return (language === '' || facts.language === language) && (author === '' || facts.author === author);
}

function adjacentArticles(newer: ArticleEntry | undefined, older: ArticleEntry | undefined) {
  return { ...(newer && { newer }), ...(older && { older }) };
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
