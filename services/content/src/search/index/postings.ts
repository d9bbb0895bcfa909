import { type AskedWord, rarityOf, type Way } from '../query/asked-word.js';
import type { TermPlaces } from '../rules/word-places.js';
import type { PreparedTerms } from './prepare.js';
import { createTextLists } from './text-lists.js';

/** The constants of BM25, as Lucene has them. */
const k1 = 1.2;
const b = 0.75;
/** What a text costs beside its terms, with its facts; and what a term costs in a text. Measured with Node 20. */
const bytesOf = { text: 800, place: 4, entry: 5, term: 200 };

/** The words of texts in memory, and which texts fit a query by BM25. Texts have numbers. */
export type Postings = ReturnType<typeof createPostings>;

export function createPostings() {
  const numbers = new Map<string, number>();
  /** The terms by first letter and length. */
  const alike = new Map<string, string[]>();
  const lists = createTextLists();
  /** The terms of each text in their order; undefined if the text is gone. */
  const sequences: (Uint32Array | undefined)[] = [];
  /** The numbers of texts that are gone. */
  const free: number[] = [];
  const lengths: number[] = [];
  let allLengths = 0;
  let size = 0;
  let places = 0;

  const numberOf = (term: string) => {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const number = lists.push();
    numbers.set(term, number);
    const group = `${term.charAt(0)}${term.length}`;
    const terms = alike.get(group) ?? [];
    terms.push(term);
    alike.set(group, terms);
    return number;
  };

  const frequency = (term: string) => lists.sizeOf(numbers.get(term) ?? -1);

  /** Notes what texts have of one way. */
  const scoreWay = ({ terms, weight }: Way, note: (text: number, score: number) => void) => {
    const [rarest = '', ...others] = [...terms].sort((one, other) => frequency(one) - frequency(other));
    const first = numbers.get(rarest) ?? -1;
    const beside = others.map((term) => numbers.get(term) ?? -1);
    const most = weight * rarityOf(lists.sizeOf(first), size);
    const mean = allLengths / size;
    lists.forEach(first, (text, single) => {
      const count = beside.length === 0 ? single : countTogether(sequences[text], first, beside);
      if (count > 0) note(text, (most * count) / (count + k1 * (1 - b + (b * (lengths[text] ?? 0)) / mean)));
    });
  };

  return {
    get bytes() {
      return size * bytesOf.text + places * bytesOf.place + lists.entries * bytesOf.entry + lists.length * bytesOf.term;
    },

    /** In how many texts a term stands. */
    frequency,

    /** Adds a text: its terms in their order, and how often each counts. Returns its number. */
    add({ sequence, weights }: PreparedTerms) {
      const text = free.pop() ?? sequences.length;
      const counts = new Map<number, number>();
      const terms = new Uint32Array(sequence.length);
      let length = 0;
      for (let at = 0; at < sequence.length; at++) {
        const number = numberOf(sequence[at] ?? '');
        const weight = weights[at] ?? 0;
        terms[at] = number;
        if (weight > 0) counts.set(number, (counts.get(number) ?? 0) + weight);
        length += weight;
      }
      sequences[text] = terms;
      for (const [number, count] of counts) lists.add(number, text, count);
      lengths[text] = length;
      allLengths += length;
      size++;
      places += sequence.length;
      return text;
    },

    remove(text: number) {
      const sequence = sequences[text];
      if (sequence === undefined) return;
      for (const term of new Set(sequence)) lists.remove(term, text);
      sequences[text] = undefined;
      free.push(text);
      allLengths -= lengths[text] ?? 0;
      places -= sequence.length;
      size--;
    },

    /** Terms of texts: at least all that have the first letter of a word and at most this many errors. */
    *near(word: string, errors: number) {
      for (let length = word.length - errors; length <= word.length + errors; length++)
        yield* alike.get(`${word.charAt(0)}${length}`) ?? [];
    },

    /** The places of terms in a text. */
    placesOf(text: number, wanted: ReadonlySet<string>): TermPlaces {
      const found = new Map([...wanted].map((term): [string, number[]] => [term, []]));
      const places = new Map([...found].map(([term, each]) => [numbers.get(term), each]));
      sequences[text]?.forEach((number, place) => {
        places.get(number)?.push(place);
      });
      return found;
    },

    /** The score of each text by its number, 0 for those that have no word of the query. */
    score(query: readonly AskedWord[]) {
      const scores = new Float64Array(sequences.length);
      const best = new Float64Array(sequences.length);
      for (const { ways, weight } of query) {
        const having: number[] = [];
        const note = (text: number, score: number) => {
          const before = best[text] ?? 0;
          if (before === 0) having.push(text);
          if (score > before) best[text] = score;
        };
        for (const way of ways) scoreWay(way, note);
        for (const text of having) {
          scores[text] = (scores[text] ?? 0) + (best[text] ?? 0) * weight;
          best[text] = 0;
        }
      }
      return scores;
    },
  };
}

/** How often a term stands beside all of the others. Their order is free, and one other term may stand among them. */
function countTogether(sequence: Uint32Array = new Uint32Array(), term: number, others: readonly number[]) {
  const span = others.length + 1;
  let count = 0;
  for (let at = sequence.indexOf(term); at >= 0; at = sequence.indexOf(term, at + 1)) {
    const near = sequence.subarray(Math.max(0, at - span), at + span + 1);
    if (others.every((other) => near.includes(other))) count++;
  }
  return count;
}
