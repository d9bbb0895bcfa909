import { foundAmong } from '../index/found.js';
import type { WordIndex } from '../index/text-index.js';
import type { Alternative, QueryWord } from './query.js';

/** This many other words may stand between the words of a phrase. */
const maxBetween = 1;
/** How many terms of a text are looked at, so that a long one costs no more than others. */
const maxTerms = 5000;

/** How much a synonym of several words counts in a text where they stand apart: it means something else there. */
const apart = { share: 0.1, coverage: 0.3 };

/**
 * Leaves only some of the found texts, and lowers scores where the words of a synonym stand apart. Nothing is changed if no
 * word of the query has a synonym of several words.
 */
export function withWholePhrases(
  words: readonly QueryWord[],
  texts: readonly number[],
  index: Pick<WordIndex, 'sequence'>,
): { readonly words: QueryWord[]; readonly isChanged: boolean } {
  const isChanged = words.some(({ alternatives }) => alternatives.some(isPhrase));
  const inOrder = Uint32Array.from(texts).sort();
  const known = new Map<number, readonly string[]>();
  const termsOf = (text: number): readonly string[] => {
    const terms = known.get(text) ?? index.sequence(text).split(' ', maxTerms);
    known.set(text, terms);
    return terms;
  };
  const chosen = words.map((word) => ({
    ...word,
    alternatives: word.alternatives.flatMap((each): Alternative[] => {
      const found = foundAmong(each.found, inOrder);
      if (!isPhrase(each)) return [{ ...each, found }];
      const whole = found.texts.filter((text) => standTogether(each.terms, termsOf(text)));
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
export function standTogether(phrase: readonly string[], terms: readonly string[]): boolean {
  return nextWhole(phrase, terms, 0, terms.length) !== undefined;
}

/** Finds the next place where all terms of a phrase stand near each other: its first and its last term. */
export function nextWhole(
  phrase: readonly string[],
  terms: readonly string[],
  from: number,
  end: number,
): { readonly first: number; readonly last: number } | undefined {
  const places = new Map<string, number>(phrase.map((term) => [term, Number.NEGATIVE_INFINITY]));
  const span = phrase.length + maxBetween;
  for (let place = from; place < end; place++) {
    const term = terms[place] ?? '';
    if (!places.has(term)) continue;
    places.set(term, place);
    const first = Math.min(...places.values());
    if (place - first < span) return { first, last: place };
  }
  return undefined;
}
