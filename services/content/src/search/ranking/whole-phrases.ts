import { foundAmong } from '../index/found.js';
import type { Alternative, QueryWord } from './query.js';
import { noPlaces, type TermPlaces } from './term-places.js';

/** This many other words may stand between the words of a phrase. */
const maxBetween = 1;

/** How much a synonym of several words counts in a text where they stand apart: it means something else there. */
const apart = { share: 0.1, coverage: 0.3 };

/**
 * Leaves only some of the found texts, and lowers scores where the words of a synonym stand apart. Nothing is changed if no
 * word of the query has a synonym of several words.
 */
export function withWholePhrases(
  words: readonly QueryWord[],
  texts: readonly number[],
  places: readonly TermPlaces[],
): { readonly words: QueryWord[]; readonly isChanged: boolean } {
  const isChanged = words.some(({ alternatives }) => alternatives.some(isPhrase));
  const inOrder = Uint32Array.from(texts).sort();
  const placesOf = new Map(texts.map((text, at) => [text, places[at]]));
  const chosen = words.map((word) => ({
    ...word,
    alternatives: word.alternatives.flatMap((each): Alternative[] => {
      const found = foundAmong(each.found, inOrder);
      if (!isPhrase(each)) return [{ ...each, found }];
      const whole = found.texts.filter((text) => standTogether(each.terms, placesOf.get(text) ?? noPlaces));
      const { coverage } = apart;
      return [
        { ...each, found: foundAmong(found, whole) },
        { ...each, coverage, weight: each.weight * apart.share, found },
      ];
    }),
  }));
  return { words: chosen, isChanged };
}

function isPhrase({ how, terms }: Alternative): boolean {
  return how === 'synonym' && terms.length > 1;
}

/** Whether terms stand near each other somewhere in a text, in any order. */
export function standTogether(phrase: readonly string[], found: TermPlaces): boolean {
  return nextWhole(phrase, found, 0) !== undefined;
}

/** Finds the next place where all terms of a phrase stand near each other: its first and its last term. */
export function nextWhole(
  phrase: readonly string[],
  found: TermPlaces,
  from: number,
): { readonly first: number; readonly last: number } | undefined {
  const each = [...new Set(phrase)].map((term) => (found.get(term) ?? []).filter((place) => place >= from));
  const span = phrase.length + maxBetween;
  const next = each.map(() => 0);
  for (;;) {
    let nearest = 0;
    let first = Number.POSITIVE_INFINITY;
    let last = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < each.length; at++) {
      const place = each[at]?.[next[at] ?? 0];
      if (place === undefined) return undefined;
      if (place > last) last = place;
      if (place >= first) continue;
      first = place;
      nearest = at;
    }
    // A term may stand again nearer to the last one.
    if (last - first < span)
      return { first: Math.min(...each.map((places) => places.findLast((place) => place <= last) ?? first)), last };
    // All later places of the others are still farther away from this one.
    next[nearest] = (next[nearest] ?? 0) + 1;
  }
}
