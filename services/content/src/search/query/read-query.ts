import type { Compounds } from '../analysis/compounds.js';
import { stem } from '../analysis/stem.js';
import { isCommonWord, isQuestionWord, isStopWord } from '../analysis/stop-words.js';
import { fold, isAcronymIn, isUninflected, joined, splitWords, type Word } from '../analysis/words.js';
import { type AskedWord, type ReadQuery, rarityOf, termsOf, type Way } from './asked-word.js';
import type { CloseTerm } from './spelling.js';
import type { SynonymRules } from './synonyms.js';

/** What a query needs to know of the texts. */
export interface Vocabulary {
  /** The primary tags of the languages that the texts have or had. */
  readonly languages: Iterable<string>;
  readonly compounds: Compounds;
  /** In how many texts each of these terms stands, of how many. */
  frequencies(
    terms: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly texts: number; of(term: string): number }>;
  /** For each of these misspelled words the terms that it most likely means. */
  closest(words: readonly string[], signal: AbortSignal): Promise<readonly (readonly CloseTerm[])[]>;
}

/** The bounds of a query, so that none costs much more than another. */
const maxWords = 60;
const maxSpellings = 8;
const maxPhrases = 96;
/** A longer word in capitals may be misspelled. */
const longestAcronym = 7;

/** How much each way counts beside the word itself. */
const weights = { part: 0.6, synonym: 0.7, spelling: 0.5 };

/** A word that is being read. */
interface Draft extends Word {
  ways: Way[];
  weight: number;
  readonly isCommon: boolean;
  readonly isAcronym: boolean;
}

/** Finds out in which ways texts can have the words of a query. What the query repeats counts as often. */
export async function readQuery(
  query: string,
  engine: Vocabulary,
  synonyms: SynonymRules,
  signal: AbortSignal,
): Promise<ReadQuery> {
  const words = splitWords(query).slice(0, maxWords);
  const asked = new Map<string, Draft>();
  // The draft of each word of the query; none for a stop word.
  const drafts = words.map((word, at) => {
    const draft = draftOf(query, word, [words[at - 1], words[at + 1]], engine);
    if (draft === undefined) return undefined;
    const name = draft.ways[0]?.terms[0] ?? word.text;
    const first = asked.get(name) ?? draft;
    first.weight++;
    asked.set(name, first);
    return first;
  });
  const all = [...asked.values()];
  const matches = synonyms.matches(words.map(({ text }) => text));
  const known = await engine.frequencies([...termsOf([...all, ...matches])], signal);
  const rarity = (frequency: number) => rarityOf(frequency, known.texts);
  /** Only the ways that some text has. */
  const found = (ways: readonly Way[]): Way[] =>
    ways
      .filter(({ terms }) => terms.every((term) => known.of(term) > 0))
      .map((way) => ({ ...way, rarities: way.terms.map((term) => rarity(known.of(term))) }));

  for (const draft of all) draft.ways = found(draft.ways);
  const isName = ({ isAcronym, text }: Draft) => isAcronym && text.length <= longestAcronym;
  const unknown = all.filter((draft) => draft.ways.length === 0 && !isName(draft)).slice(0, maxSpellings);
  const misspelled = unknown.map(({ text }) => text);
  const spellings = unknown.length === 0 ? [] : await engine.closest(misspelled, signal);
  for (const [at, draft] of unknown.entries())
    draft.ways = (spellings[at] ?? []).map(({ term, how, frequency }) => {
      return { how, weight: weights.spelling, terms: [term], rarities: [rarity(frequency)] };
    });

  let room = maxPhrases;
  for (const { at, length, ways } of matches) {
    const phrases = found(ways).slice(0, room);
    room -= phrases.length;
    const targets = new Set(drafts.slice(at, at + length).filter((draft) => draft !== undefined));
    const weight = weights.synonym / Math.sqrt(targets.size);
    for (const draft of targets) draft.ways.push(...phrases.map((phrase) => ({ ...phrase, weight })));
  }
  const read = all.map((word) => ({ ...word, rarity: rarityOfWord(word.ways) ?? rarity(0) }));
  return { words: read.length > longQuestion ? read.map(weighByRarity) : read, texts: known.texts };
}

/**
 * A word is as rare as the most frequent word that stands for it, or else the rarest phrase. A phrase is as rare as its rarest word.
 * What no text has is the rarest.
 */
function rarityOfWord(ways: readonly Way[]) {
  const all = ways.map(({ rarities = [] }) => rarities);
  const single = all.filter(({ length }) => length === 1).flat();
  if (single.length > 0) return Math.min(...single);
  return ways.length === 0 ? undefined : Math.max(...all.flat());
}

function draftOf(
  query: string,
  word: Word,
  [before, after]: readonly (Word | undefined)[],
  { languages, compounds }: Vocabulary,
): Draft | undefined {
  const { text } = word;
  const isAcronym = isAcronymIn(query, word);
  const isIn = (list: typeof isStopWord) => [...languages].some((each) => list(text, each));
  if (!isAcronym && (isIn(isStopWord) || isIn(isQuestionWord))) return undefined;
  const stems = isUninflected(query, word) ? [] : [...languages, 'en'].map((language) => stem(text, language));
  const tied = [joined(query, before, word), joined(query, word, after)]
    .filter((each) => each !== undefined)
    .map((each) => stem(each, 'en'));
  const forms = new Set([...stems, fold(text), ...(isAcronym ? [text.toUpperCase()] : []), ...tied]);
  const parts = new Set(compounds.parts(text).map((part) => stem(part, 'de')));
  const ways = [
    ...Array.from(forms, (term): Way => ({ terms: [term], weight: 1, how: 'form' })),
    ...Array.from(parts, (term): Way => ({ terms: [term], weight: weights.part, how: 'part' })),
  ];
  return { ...word, ways, weight: 0, isCommon: !isAcronym && isIn(isCommonWord), isAcronym };
}

/**
 * A long question has words that only carry it, such as "I would be pleased to receive papers". So its rare words count more.
 *
 * Gain in nDCG@10: LISA 0.003 (success@3 0.029), CACM -0.001, sample -0.001; without it 0.20 of the helpful hits on CACM are weak.
 */
const longQuestion = 10;

const power = 0.25;

function weighByRarity(word: AskedWord) {
  return { ...word, weight: word.weight * word.rarity ** power };
}
