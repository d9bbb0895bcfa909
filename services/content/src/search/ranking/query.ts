import { acronymTerm, isCapitals } from '../analysis/acronyms.js';
import { fold } from '../analysis/fold.js';
import { stem } from '../analysis/stem.js';
import { isCommonWord, isQuestionWord, isStopWord } from '../analysis/stop-words.js';
import { splitWords, type Word } from '../analysis/words.js';
import type { Found } from '../index/found.js';
import type { WordIndex } from '../index/text-index.js';
import { languagesOfQuery } from './query-languages.js';
import { closestTerms } from './spelling.js';
import type { SynonymRules } from './synonyms.js';

/** One way in which a text can have a word of the query. */
export interface Alternative {
  readonly how: 'form' | 'part' | 'synonym' | 'cognate' | 'loose' | 'prefix' | 'spelling';
  /** The terms of the index. A text must have all of a synonym's, and any of another alternative's. */
  readonly terms: readonly string[];
  /** How much a match counts, from 0 to 1. */
  readonly weight: number;
  /** How much of the word a text has that matches, from 0 to 1. With half and less it is not certain to have it. */
  readonly coverage: number;
  readonly found: Found;
  /** The languages of the texts in which the terms of a synonym stand for it; empty or absent for all. */
  readonly languages?: readonly string[];
}

/** A word of the query with everything that matches it. */
export interface QueryWord {
  readonly word: Word;
  readonly alternatives: readonly Alternative[];
  /** Whether the word is frequent in any text, such as often, and says little about this query. */
  readonly isCommon: boolean;
  /** The languages in which the whole query may be. */
  readonly languages: readonly string[];
}

/** The bounds of a query, so that no query costs much more than another. */
const maxWords = 40;
const maxSpellings = 16;
const maxPhrases = 96;

const weights = { form: 1, part: 0.6, synonym: 0.7, cognate: 0.85, loose: 0.5, prefix: 0.7, spelling: 0.5 } as const;
const coverages = {
  ...{ form: 1, part: 0.6, synonym: 0.8, cognate: 0.5, loose: 0.3, prefix: 0.5, spelling: 0.2 },
} as const;
/** An alternative with this coverage and less only resembles a word. */
export const uncertain = 0.5;
/** How much less a synonym counts if some text has the word itself. So the words of the query come first. */
const besideForm = 0.7;
const shortestCognate = 5;
const longestEnding = 2;
/** How many other spellings of a word are looked for in the texts. */
const maxCorrections = 4;

/** Finds the texts for each word of a query. A query of stop words alone has none. */
export function readQuery(query: string, index: WordIndex, synonyms: SynonymRules): QueryWord[] {
  const words = wordsOf(query, index);
  const useful = words.filter(({ isStop }) => !isStop);
  const alternatives = new Map<string, Alternative[]>();
  let spellings = 0;
  for (const [at, word] of useful.entries()) {
    if (alternatives.has(word.text)) continue;
    const found = formsOf(word, index);
    if (found.length === 0 && !word.isAcronym) {
      if (at === useful.length - 1) found.push(...beginningOf(word.text, index));
      if (spellings++ < maxSpellings) found.push(...spellingsOf(word.text, index));
    }
    alternatives.set(word.text, found);
  }
  const languages = languagesOfQuery(words, alternatives, index);
  addSynonyms(words, alternatives, index, synonyms);
  const seen = new Set<string>();
  return words.flatMap((word) => {
    const own = alternatives.get(word.text);
    if (own === undefined || seen.has(word.text)) return [];
    seen.add(word.text);
    return [{ word, alternatives: own, isCommon: word.isCommon, languages }];
  });
}

interface AskedWord extends Word {
  readonly isStop: boolean;
  readonly isCommon: boolean;
  /** Whether it is in capitals, in a query that has other letters too. */
  readonly isAcronym: boolean;
}

function wordsOf(query: string, { languages }: WordIndex): AskedWord[] {
  const words = splitWords(query).slice(0, maxWords);
  const written = ({ start, end }: Word): string => query.slice(start, end);
  const isShouted = words.length > 2 && words.every((word) => isCapitals(written(word)));
  return words.map((word) => {
    const isAcronym = !isShouted && isCapitals(written(word));
    const isStop = languages.some((each) => isStopWord(word.text, each) || isQuestionWord(word.text, each));
    const isCommon = languages.some((each) => isCommonWord(word.text, each));
    return { ...word, isAcronym, isCommon: isCommon && !isAcronym, isStop: isStop && !isAcronym };
  });
}

/** What the texts of each language have of a word. A stem of one language means nothing in another. */
function formsOf({ text: word, isAcronym }: AskedWord, index: WordIndex): Alternative[] {
  const parts = new Set(index.compounds.parts(word).map((part) => stem(part, 'de')));
  const isNamesake = isAcronym && index.languages.some((each) => isStopWord(word, each));
  return [
    ...termsOf(word, index).flatMap(({ term, languages }) => {
      const found = index.having([term]);
      const form = alternative('form', [term], index.having([term], languages));
      // A form of any language has all texts of the term already.
      const hasOthers = form.found.texts.length < found.texts.length;
      return hasOthers && isCognate(word, term) ? [form, alternative('cognate', [term], found)] : [form];
    }),
    ...(isNamesake ? [alternative('form', [acronymTerm(word)], index.having([acronymTerm(word)]))] : []),
    ...[...parts].map((term) => alternative('part', [term], index.having([term], ['de']))),
  ].filter(isFound);
}

/** Whether a word of another language with this stem may be the same word, such as Dokument and documentos. */
function isCognate(word: string, term: string): boolean {
  return term.length >= shortestCognate && term.length >= fold(word).length - longestEnding;
}

function beginningOf(word: string, index: WordIndex): Alternative[] {
  const prefix = fold(word);
  return prefix.length < 3 ? [] : [alternative('prefix', [], index.beginning(prefix))].filter(isFound);
}

/** Other spellings of a word that no text has. A number is as its writer wants it. */
function spellingsOf(word: string, index: WordIndex): Alternative[] {
  if (/\p{N}/u.test(word)) return [];
  return closestTerms(fold(word), termsOf(word, index), index.similar.bind(index))
    .sort((one, other) => (one.term < other.term ? -1 : 1))
    .map(({ term, languages }) => alternative('spelling', [term], index.having([term], languages)))
    .sort((one, other) => other.found.texts.length - one.found.texts.length)
    .slice(0, maxCorrections)
    .filter(isFound);
}

/** The terms that a word has, each with the languages whose texts have it so. */
function termsOf(word: string, { languages }: WordIndex): { term: string; languages: readonly string[] }[] {
  const terms = new Map<string, string[]>();
  for (const language of languages) {
    const term = stem(word, language);
    terms.set(term, [...(terms.get(term) ?? []), language]);
  }
  // Tags and glosses are in English, and names have no language.
  const everywhere = new Set([fold(word), stem(word, 'en')]);
  for (const term of everywhere) terms.set(term, [...anyLanguage]);
  return [...terms].map(([term, each]) => ({ term, languages: each }));
}

const anyLanguage: readonly string[] = [];

function addSynonyms(
  words: readonly Word[],
  alternatives: Map<string, Alternative[]>,
  index: WordIndex,
  synonyms: SynonymRules,
): void {
  let phrases = 0;
  for (const { at, length, phrases: found, remains } of synonyms.match(words.map(({ text }) => text))) {
    const chosen = found.slice(0, maxPhrases - phrases);
    phrases += chosen.length;
    const first = words[at]?.text ?? '';
    const isForm = (alternatives.get(first) ?? []).some(({ how }) => how === 'form');
    // Each word of a phrase gets its synonyms: a text with one of them lacks nothing of it.
    const useful = words.slice(at, at + length).flatMap(({ text }) => (alternatives.has(text) ? [text] : []));
    const targets = useful.length === 0 ? [first] : useful;
    const added = chosen
      .map(({ terms, languages }): Alternative => {
        const weight = (weights.synonym * (isForm ? besideForm : 1)) / Math.sqrt(terms.length * targets.length);
        const having = index.having(terms, languages);
        return { ...alternative('synonym', terms, having, weight), languages };
      })
      .filter(isFound);
    // If no text has the acronym or a long form of it, single words of these are the best match.
    const isUnknown = length === 1 && !isForm && added.length === 0;
    const loose = new Set(isUnknown ? chosen.flatMap(({ terms }) => terms) : remains.slice(0, maxPhrases));
    added.push(...[...loose].map((term) => alternative('loose', [term], index.having([term]))).filter(isFound));
    for (const word of targets) alternatives.set(word, [...(alternatives.get(word) ?? []), ...added]);
  }
}

function alternative(
  how: Alternative['how'],
  terms: readonly string[],
  found: Found,
  weight: number = weights[how],
): Alternative {
  return { how, terms: how === 'prefix' ? found.terms : terms, weight, coverage: coverages[how], found };
}

function isFound({ found }: Alternative): boolean {
  return found.texts.length > 0;
}
