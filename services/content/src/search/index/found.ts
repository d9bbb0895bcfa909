import type { FactColumns } from './fact-columns.js';

/** The texts that have a term, in the order of their numbers. */
export interface Found {
  /** The number of each text. */
  readonly texts: Uint32Array;
  /** How well each of them fits. */
  readonly scores: Float32Array;
  /** The terms of the index that matched; several for a prefix or a similar spelling. */
  readonly terms: readonly string[];
}

/** Texts with their scores, in arrays with room for more. */
export interface FoundTexts extends Pick<Found, 'texts' | 'scores'> {
  count: number;
}

/** Where a search writes what it finds. */
export interface FoundRoom {
  /** Room for at most this many texts, with any content. It must be kept before more is taken. */
  take(most: number): FoundTexts;
  /** Keeps the texts that were written. */
  keep(texts: FoundTexts): Pick<Found, 'texts' | 'scores'>;
}

/** Room in new arrays for each. */
export const newRoom: FoundRoom = {
  take: (most) => ({ texts: new Uint32Array(most), scores: new Float32Array(most), count: 0 }),
  keep: ({ texts, scores, count }) => ({ texts: texts.subarray(0, count), scores: scores.subarray(0, count) }),
};

/** Leaves only these texts, which are in the order of their numbers. A frequent term has many more. */
export function foundAmong(found: Found, chosen: Uint32Array): Found {
  const texts = new Uint32Array(Math.min(chosen.length, found.texts.length));
  const scores = new Float32Array(texts.length);
  let count = 0;
  let place = 0;
  for (let at = 0; at < chosen.length && place < found.texts.length; at++) {
    const text = chosen[at] ?? 0;
    place = placeOf(found.texts, text, place);
    if (found.texts[place] !== text) continue;
    texts[count] = text;
    scores[count++] = found.scores[place] ?? 0;
  }
  return { ...found, texts: texts.subarray(0, count), scores: scores.subarray(0, count) };
}

/** The found texts that are in one of the languages; all of them for none. */
export function foundIn(
  found: Found,
  languages: readonly string[],
  { facts, room }: { readonly facts: FactColumns; readonly room: FoundRoom },
): Found {
  if (languages.length === 0 || found.texts.length === 0) return found;
  const isWanted = new Uint8Array(facts.languages.size);
  for (const language of languages) isWanted[facts.languages.find(language) ?? isWanted.length] = 1;
  // They are counted first, because most languages have few of the texts, and memory costs more than a look.
  let most = 0;
  for (let at = 0; at < found.texts.length; at++) most += isWanted[facts.language[found.texts[at] ?? 0] ?? 0] ?? 0;
  if (most === found.texts.length) return found;
  const into = room.take(most);
  for (let at = 0; into.count < most; at++) {
    const text = found.texts[at] ?? 0;
    if (isWanted[facts.language[text] ?? 0] !== 1) continue;
    into.texts[into.count] = text;
    into.scores[into.count++] = found.scores[at] ?? 0;
  }
  return { ...found, ...room.keep(into) };
}

/** The place of the first text from here on that has at least this number. */
export function placeOf(texts: Uint32Array, text: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < texts.length && (texts[low + step] ?? 0) < text) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, texts.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((texts[middle] ?? 0) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
