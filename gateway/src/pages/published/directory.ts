import type { Content } from '../../api/content.js';
import type { CallContext } from '../../upstream/call-context.js';
import type { SiteName } from '../../upstream/sites.js';
import type { ArticleEntry } from './entries.js';

/**
 * The newest articles of a site by number, tag, language and author, from the very pages of the index that agents get. What
 * is older than `reach` is found by search, by a cursor and in the sitemap.
 */
export interface Directory {
  list(asked: ListAsked, asker: CallContext): Promise<Listed>;
  /** Every tag, language and author, the most used first. */
  facets(site: SiteName, asker: CallContext): Promise<Facets>;
  /** The articles that were published just after and just before one. */
  beside(site: SiteName, slug: string, asker: CallContext): Promise<{ newer?: ArticleEntry; older?: ArticleEntry }>;
}

/** Filters and range of a list of articles; an empty filter is not set. */
export interface ListAsked {
  readonly site: SiteName;
  readonly tag: string;
  readonly language: string;
  readonly author: string;
  /** From 0. */
  readonly from: number;
  readonly count: number;
}

/** A part of a list. */
export interface Listed {
  readonly entries: readonly ArticleEntry[];
  /** Null if more match than are within reach. */
  readonly total: number | null;
  readonly hasMore: boolean;
  /** The cursor of the articles beyond the reach; empty if there are none. */
  readonly cursor: string;
}

/** A tag, language or author, with its number of articles. */
export interface Facet {
  readonly name: string;
  readonly count: number;
}

/** What articles can be chosen by. */
export interface Facets {
  readonly tags: readonly Facet[];
  readonly languages: readonly Facet[];
  readonly authors: readonly Facet[];
  /** Whether all articles of the site were counted. */
  readonly isWhole: boolean;
}

const aRead = 200;
const reach = 2_000;

/** Makes a directory. What it learns from a cached listing is kept for as long as that listing. */
export function createDirectory(content: Pick<Content, 'index'>): Directory {
  const known = new WeakMap<Buffer, Part>();

  const partsOf = async function* (site: SiteName, tag: string, asker: CallContext): AsyncGenerator<Part> {
    for (let cursor = '', read = 0; read < reach; read += aRead) {
      const { body } = await content.index({ site, tag, cursor, limit: aRead, q: '', updatedSince: undefined }, asker);
      const part = known.get(body) ?? partOf(body);
      known.set(body, part);
      yield part;
      if (part.next === '') return;
      cursor = part.next;
    }
  };

  return {
    async list({ site, tag, language, author, from, count }, asker) {
      const entries: ArticleEntry[] = [];
      const isFiltered = language !== '' || author !== '';
      let [matched, cursor] = [0, ''];
      let whole: number | null = null;
      for await (const part of partsOf(site, tag, asker)) {
        const matching = part.facts.flatMap((each, at) => (isAsked(each, language, author) ? [at] : []));
        const wanted = matching.slice(Math.max(0, from - matched), Math.max(0, from + count - matched));
        if (wanted.length > 0) {
          const all = entriesOf(part.body);
          entries.push(...wanted.flatMap((at) => all[at] ?? []));
        }
        matched += matching.length;
        cursor = part.next;
        whole = isFiltered ? null : part.total;
        // The total is known, so no further listing is needed.
        if (whole !== null && matched > from + count) break;
      }
      return {
        entries,
        total: whole ?? (cursor === '' ? matched : null),
        hasMore: matched > from + count,
        cursor: isFiltered ? '' : cursor,
      };
    },
    async facets(site, asker) {
      const [tags, languages, authors] = [counter(), counter(), counter()];
      let isWhole = true;
      for await (const { facts, next } of partsOf(site, '', asker)) {
        for (const each of facts) {
          each.tags.forEach(tags.add);
          languages.add(each.language);
          authors.add(each.author);
        }
        isWhole = next === '';
      }
      return { tags: tags.sorted(), languages: languages.sorted(), authors: authors.sorted(), isWhole };
    },
    async beside(site, slug, asker) {
      let before: ArticleEntry | undefined;
      let earlier: Buffer | undefined;
      let isNext = false;
      for await (const { body, facts } of partsOf(site, '', asker)) {
        if (isNext) return named(before, entriesOf(body)[0]);
        const at = facts.findIndex((each) => each.slug === slug);
        if (at < 0) {
          earlier = body;
          continue;
        }
        // Parsing a listing costs a millisecond, so only those with one of the two articles are parsed again.
        const entries = entriesOf(body);
        before = entries[at - 1] ?? (earlier && entriesOf(earlier).at(-1));
        if (at < entries.length - 1) return named(before, entries[at + 1]);
        isNext = true;
      }
      return named(before, undefined);
    },
  };
}

/** What is known of one listing of the index. */
interface Part {
  readonly body: Buffer;
  readonly facts: readonly Facts[];
  /** The number of all matches; null if the index did not count them. */
  readonly total: number | null;
  /** Empty at the end. */
  readonly next: string;
}

type Facts = Pick<ArticleEntry, 'slug' | 'tags' | 'language' | 'author'>;

function partOf(body: Buffer): Part {
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

function isAsked(facts: Facts, language: string, author: string): boolean {
  return (language === '' || facts.language === language) && (author === '' || facts.author === author);
}

function named(newer: ArticleEntry | undefined, older: ArticleEntry | undefined) {
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
