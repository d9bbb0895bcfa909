import { fold } from '../analysis/fold.js';
import { stem } from '../analysis/stem.js';
import { isStopWord } from '../analysis/stop-words.js';
import { splitWords, type Word } from '../analysis/words.js';
import type { Found, WordIndex } from '../index/text-index.js';
import { closestTerms } from './spelling.js';
import type { SynonymRules } from './synonyms.js';

/** One way in which a text can have a word of the query. */
export interface Alternative {
  readonly how: 'form' | 'part' | 'synonym' | 'prefix' | 'spelling';
  /** The terms of the index. A text must have all of a synonym's, and any of another alternative's. */
  readonly terms: readonly string[];
  /** How much a match counts, from 0 to 1. */
  readonly weight: number;
  readonly found: Found;
}

/** A word of the query with everything that matches it. */
export interface QueryWord {
  readonly word: Word;
  readonly alternatives: readonly Alternative[];
}

/** The bounds of a query, so that no query costs much more than another. */
const maxWords = 40;
const maxSpellings = 16;
const maxPhrases = 96;

const weights = { form: 1, part: 0.6, synonym: 0.7, prefix: 0.7, spelling: 0.5 } as const;
/** How many other spellings of a word are looked for in the texts. */
const maxCorrections = 4;
const shortestCorrected = 4;

/** Finds the texts for each word of a query. Stop words count only if there are no others. */
export function readQuery(query: string, index: WordIndex, synonyms: SynonymRules): QueryWord[] {
  const words = splitWords(query).slice(0, maxWords);
  const isUseful = ({ text }: Word): boolean => !isStopWordOf(index, text);
  const useful = words.some(isUseful) ? words.filter(isUseful) : words;
  const alternatives = new Map<string, Alternative[]>();
  let spellings = 0;
  for (const [at, { text }] of useful.entries()) {
    if (alternatives.has(text)) continue;
    const found = formsOf(text, index);
    if (found.length === 0) {
      if (at === useful.length - 1) found.push(...beginningOf(text, index));
      if (spellings++ < maxSpellings) found.push(...spellingsOf(text, index));
    }
    alternatives.set(text, found);
  }
  addSynonyms(words, alternatives, index, synonyms);
  const seen = new Set<string>();
  return words.flatMap((word) => {
    const own = alternatives.get(word.text);
    if (own === undefined || seen.has(word.text)) return [];
    seen.add(word.text);
    return [{ word, alternatives: own }];
  });
}

function isStopWordOf({ languages }: WordIndex, word: string): boolean {
  return languages.some((language) => isStopWord(word, language));
}

function formsOf(word: string, index: WordIndex): Alternative[] {
  const parts = new Set(index.compounds.parts(word).map((part) => stem(part, 'de')));
  return [
    ...termsOf(word, index).map((term) => alternative('form', [term], index.having([term]))),
    ...[...parts].map((term) => alternative('part', [term], index.having([term]))),
  ].filter(isFound);
}

function beginningOf(word: string, index: WordIndex): Alternative[] {
  const prefix = fold(word);
  return prefix.length < 3 ? [] : [allOf('prefix', index.beginning(prefix))].filter(isFound);
}

/** Other spellings of a word that no text has. A number, or a stop word, is as its writer wants it. */
function spellingsOf(word: string, index: WordIndex): Alternative[] {
  if (fold(word).length < shortestCorrected || /\p{N}/u.test(word) || isStopWordOf(index, word)) return [];
  return closestTerms(termsOf(word, index), (term, distance) => index.similar(term, distance))
    .sort()
    .map((term) => alternative('spelling', [term], index.having([term])))
    .sort((one, other) => other.found.texts.length - one.found.texts.length)
    .slice(0, maxCorrections)
    .filter(isFound);
}

/** The terms that a word has in the languages of the texts. */
function termsOf(word: string, index: WordIndex): string[] {
  return [...new Set([...index.languages.map((language) => stem(word, language)), fold(word)])];
}

function addSynonyms(
  words: readonly Word[],
  alternatives: Map<string, Alternative[]>,
  index: WordIndex,
  synonyms: SynonymRules,
): void {
  let phrases = 0;
  for (const { at, length, phrases: found } of synonyms.match(words.map(({ text }) => text))) {
    const chosen = found.slice(0, maxPhrases - phrases);
    phrases += chosen.length;
    const first = words[at]?.text ?? '';
    const isForm = (alternatives.get(first) ?? []).some(({ how }) => how === 'form');
    // Each word of a phrase gets its synonyms: a text with one of them lacks nothing of it.
    const useful = words.slice(at, at + length).flatMap(({ text }) => (alternatives.has(text) ? [text] : []));
    const targets = useful.length === 0 ? [first] : useful;
    const whole = chosen
      .map((terms) => {
        const weight = weights.synonym / Math.sqrt(terms.length * targets.length);
        return alternative('synonym', terms, index.having(terms), weight);
      })
      .filter(isFound);
    // No text has the acronym or one of its long forms. Single words of the long forms are the best that is left.
    const isUnknown = length === 1 && !isForm && whole.length === 0;
    const added = isUnknown ? chosen.flatMap((terms) => partsOf(terms, index)) : whole;
    for (const word of targets) alternatives.set(word, [...(alternatives.get(word) ?? []), ...added]);
  }
}

function partsOf(terms: readonly string[], index: WordIndex): Alternative[] {
  const weight = weights.synonym / terms.length;
  return terms.map((term) => alternative('part', [term], index.having([term]), weight)).filter(isFound);
}

function alternative(
  how: Alternative['how'],
  terms: readonly string[],
  found: Found,
  weight: number = weights[how],
): Alternative {
  return { how, terms, weight, found };
}

function allOf(how: Alternative['how'], found: Found): Alternative {
  return alternative(how, found.terms, found);
}

function isFound({ found }: Alternative): boolean {
  return found.texts.length > 0;
}
