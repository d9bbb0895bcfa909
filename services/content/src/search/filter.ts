import type { Site } from '@knowledge/runtime';
import { fold } from './analysis/fold.js';
import { primaryLanguage } from './analysis/stem.js';
import type { SearchText, TextKind } from './texts/search-text.js';

/** What searches filter and count by. The language is a primary tag. */
export type Facts = Pick<SearchText, 'key' | 'site' | 'kind' | 'language' | 'tags' | 'author' | 'updatedAt'>;

/** Which texts a search may find. Undefined and empty parts match all. */
export interface SearchFilter {
  readonly site: Site | undefined;
  readonly kind: TextKind | 'object' | undefined;
  /** A BCP 47 tag, of which only the primary part counts. */
  readonly language?: string;
  readonly tag?: string;
  readonly author?: string;
  readonly updatedSince?: Date | undefined;
}

/** Tells which texts a filter leaves, on any site. */
export function filterOf(filter: SearchFilter): (facts: Facts) => boolean {
  const { kind, language = '', tag = '', author = '', updatedSince } = filter;
  const primary = primaryLanguage(language);
  const names = nameWords(author);
  const byAuthor = new Map<string, boolean>();
  const isByAuthor = (name: string): boolean => {
    const known = byAuthor.get(name);
    if (known !== undefined) return known;
    const own = nameWords(name);
    const is = names.length > 0 && names.every((word) => own.includes(word));
    byAuthor.set(name, is);
    return is;
  };
  return (facts) =>
    (kind === undefined || (kind === 'object' ? facts.kind !== 'article' : facts.kind === kind)) &&
    (primary === '' || facts.language === primary) &&
    (tag === '' || facts.tags.includes(tag)) &&
    (updatedSince === undefined || facts.updatedAt >= updatedSince) &&
    (author.trim() === '' || isByAuthor(facts.author));
}

/** The words of a name, as filters compare them: in any case and without accents. */
export function nameWords(name: string): readonly string[] {
  return fold(name.normalize('NFKC').toLowerCase()).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
