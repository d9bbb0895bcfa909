import type { Found, WordIndex } from '../index/text-index.js';
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
  index: Pick<WordIndex, 'endOfNumbers' | 'sequence'>,
): { readonly words: QueryWord[]; readonly isChanged: boolean } {
  const isChanged = words.some(({ alternatives }) => alternatives.some(isPhrase));
  const isChosen = new Uint8Array(index.endOfNumbers);
  for (const text of texts) isChosen[text] = 1;
  // Says which texts have a phrase whole. Each phrase writes the places of its own texts before they are read.
  const isWhole = new Uint8Array(index.endOfNumbers);
  const known = new Map<number, readonly string[]>();
  const termsOf = (text: number): readonly string[] => {
    const terms = known.get(text) ?? index.sequence(text).split(' ', maxTerms);
    known.set(text, terms);
    return terms;
  };
  const chosen = words.map((word) => ({
    ...word,
    alternatives: word.alternatives.flatMap((each): Alternative[] => {
      const found = chosenOf(each.found, isChosen);
      if (!isPhrase(each)) return [{ ...each, found }];
      for (const text of found.texts) isWhole[text] = Number(standTogether(each.terms, termsOf(text)));
      const { coverage } = apart;
      return [
        { ...each, found: chosenOf(found, isWhole) },
        { ...each, coverage, weight: each.weight * apart.share, found },
      ];
    }),
  }));
  return { words: chosen, isChanged };
}

/** Leaves the chosen texts. They are counted first, because a frequent word has many texts, and few are chosen. */
function chosenOf(found: Found, isChosen: Uint8Array): Found {
  let most = 0;
  for (let at = 0; at < found.texts.length; at++) most += isChosen[found.texts[at] ?? 0] ?? 0;
  const texts = new Uint32Array(most);
  const scores = new Float64Array(most);
  let count = 0;
  for (let at = 0; count < most; at++) {
    const text = found.texts[at] ?? 0;
    if (isChosen[text] !== 1) continue;
    texts[count] = text;
    scores[count++] = found.scores[at] ?? 0;
  }
  return { ...found, texts, scores };
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
