import { acronymTerm, isAcronymIn } from '../analysis/acronyms.js';
import { isUninflected } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { stem } from '../analysis/stem.js';
import { isCommonWord, isQuestionWord, isStopWord } from '../analysis/stop-words.js';
import { splitWords, type Word } from '../analysis/words.js';
import type { AskedWord, Way } from './asked-word.js';
import { longQuestion, weighByRarity } from './long-questions.js';
import { rarityOf } from './rarity.js';
import type { SynonymRules } from './synonyms.js';

/** What a query needs to know of the texts. */
export interface Vocabulary {
  /** The primary tags of the languages that the texts have. */
  readonly languages: readonly string[];
  readonly compounds: Compounds;
  /** In how many texts each of these terms stands. */
  frequencies(terms: readonly string[], signal: AbortSignal): Promise<Frequencies>;
  /** For each of these misspelled words the terms that it most likely means. */
  closest(words: readonly string[], signal: AbortSignal): Promise<readonly (readonly KnownTerm[])[]>;
}

export interface Frequencies {
  /** The number of all texts. */
  readonly texts: number;
  of(term: string): number;
}

/** A term that texts have. */
export interface KnownTerm {
  readonly term: string;
  readonly frequency: number;
}

/** The bounds of a query, so that none costs much more than another. */
const maxWords = 60;
const maxSpellings = 8;
const maxPhrases = 96;

/** How much each way counts beside the word itself. */
const weights = { part: 0.6, synonym: 0.7, spelling: 0.5 };

/** Finds out in which ways texts can have the words of a query. What the query repeats counts as often. */
export async function readQuery(
  query: string,
  vocabulary: Vocabulary,
  synonyms: SynonymRules,
  signal: AbortSignal,
): Promise<AskedWord[]> {
  const words = splitWords(query).slice(0, maxWords);
  const asked = new Map<string, Draft>();
  const drafts = words.map((word): Draft | undefined => {
    const isAcronym = isAcronymIn(query, word);
    if (!isAcronym && isStop(word, vocabulary)) return undefined;
    const ways = formsOf(word, query, isAcronym, vocabulary);
    const name = ways[0]?.terms[0] ?? word.text;
    const before = asked.get(name);
    const isCommon = !isAcronym && vocabulary.languages.some((each) => isCommonWord(word.text, each));
    if (before !== undefined) {
      before.weight++;
      return before;
    }
    const draft = { ...word, ways, weight: 1, isCommon, isAcronym };
    asked.set(name, draft);
    return draft;
  });
  const all = [...asked.values()];
  const matches = synonyms.match(words.map(({ text }) => text));
  const phrases = matches.flatMap((match) => match.phrases);
  const terms = new Set([...all.flatMap(({ ways }) => ways), ...phrases].flatMap((each) => each.terms));
  const known = await vocabulary.frequencies([...terms], signal);
  const rarity = (term: string, frequency = known.of(term)) => rarityOf(frequency, known.texts);
  const hasAll = (each: { readonly terms: readonly string[] }) => each.terms.every((term) => known.of(term) > 0);
  const withRarities = (way: Way): Way => ({ ...way, rarities: way.terms.map((term) => rarity(term)) });

  const found = new Map(all.map((draft) => [draft, draft.ways.filter(hasAll).map(withRarities)]));
  const unknown = all.filter((draft) => found.get(draft)?.length === 0 && !draft.isAcronym).slice(0, maxSpellings);
  const spellings = unknown.length === 0 ? [] : await vocabulary.closest(textsOf(unknown), signal);
  for (const [at, draft] of unknown.entries())
    for (const { term, frequency } of spellings[at] ?? [])
      found.get(draft)?.push({ ...spelling, terms: [term], rarities: [rarity(term, frequency)] });

  let room = maxPhrases;
  for (const { at, length, phrases: each } of matches) {
    const chosen = each.filter(hasAll).slice(0, room);
    room -= chosen.length;
    const targets = new Set(drafts.slice(at, at + length).filter((draft) => draft !== undefined));
    const weight = weights.synonym / Math.sqrt(Math.max(1, targets.size));
    for (const draft of targets)
      found.get(draft)?.push(...chosen.map((phrase) => withRarities({ ...phrase, weight, how: 'synonym' })));
  }
  const read = Array.from(found, ([{ text, start, end, weight, isCommon }, ways]): AskedWord => {
    return { text, start, end, weight, isCommon, ways, rarity: rarityOfWord(ways) ?? rarity('', 0) };
  });
  return read.length > longQuestion ? read.map(weighByRarity) : read;
}

interface Draft extends Word {
  readonly ways: readonly Way[];
  readonly isCommon: boolean;
  readonly isAcronym: boolean;
  weight: number;
}

const spelling = { how: 'spelling', weight: weights.spelling } as const;

function textsOf(words: readonly Word[]): string[] {
  return words.map(({ text }) => text);
}

/**
 * A word is as rare as the most frequent word that stands for it, or else the rarest phrase. A phrase is as rare as its rarest word.
 * What no text has is the rarest.
 */
function rarityOfWord(ways: readonly Way[]): number | undefined {
  const single = ways.flatMap(({ rarities = [] }) => (rarities.length === 1 ? rarities : []));
  if (single.length > 0) return Math.min(...single);
  return ways.length === 0 ? undefined : Math.max(...ways.flatMap(({ rarities = [] }) => rarities));
}

function isStop({ text }: Word, { languages }: Vocabulary): boolean {
  return languages.some((each) => isStopWord(text, each) || isQuestionWord(text, each));
}

function formsOf(word: Word, query: string, isAcronym: boolean, { languages, compounds }: Vocabulary): Way[] {
  const { text } = word;
  const stems = isUninflected(query, word) ? [] : [...languages, 'en'].map((language) => stem(text, language));
  const forms = new Set([...stems, fold(text), ...(isAcronym ? [acronymTerm(text)] : [])]);
  const parts = new Set(compounds.parts(text).map((part) => stem(part, 'de')));
  return [
    ...Array.from(forms, (term) => ({ terms: [term], weight: 1, how: 'form' as const })),
    ...Array.from(parts, (term) => ({ terms: [term], weight: weights.part, how: 'part' as const })),
  ];
}
