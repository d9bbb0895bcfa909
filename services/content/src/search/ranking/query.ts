import { fold } from '../analysis/fold.js';
import { stem } from '../analysis/stem.js';
import { isStopWord } from '../analysis/stop-words.js';
import { splitWords, type Word } from '../analysis/words.js';
import type { Found, TextIndex } from '../index/text-index.js';
import type { SynonymRules } from './synonyms.js';

/** One way in which a text can have a word of the query. */
export interface Alternative {
  readonly how: 'form' | 'part' | 'synonym' | 'prefix' | 'spelling';
  /** The terms of the index. A text must have all of them, or any of them for a prefix or spelling. */
  readonly terms: readonly string[];
  /** How much a match counts, from 0 to 1. */
  readonly weight: number;
  /** The number of query words that it stands for, from its own word on. */
  readonly length: number;
  readonly found: readonly Found[];
}

/** A word of the query with everything that matches it. */
export interface QueryWord {
  readonly word: Word;
  readonly alternatives: readonly Alternative[];
}

/** The bounds of a query, so that no query costs much more than another. */
const maxWords = 64;
const maxSpellings = 16;
const maxPhrases = 96;

const weights = { form: 1, part: 0.6, synonym: 0.7, prefix: 0.7, spelling: 0.8 } as const;

/** Finds the texts for each word of a query. Stop words count only if there are no others. */
export function readQuery(query: string, index: TextIndex, synonyms: SynonymRules): QueryWord[] {
  const words = splitWords(query).slice(0, maxWords);
  const isUseful = ({ text }: Word): boolean => !index.languages.some((language) => isStopWord(text, language));
  const useful = words.some(isUseful) ? words.filter(isUseful) : words;
  const alternatives = new Map<string, Alternative[]>();
  let spellings = 0;
  for (const [place, word] of useful.entries()) {
    if (alternatives.has(word.text)) continue;
    const found = formsOf(word.text, index);
    if (found.length === 0 && place === useful.length - 1) found.push(...beginningOf(word.text, index));
    if (!found.some(({ how }) => how !== 'prefix') && spellings < maxSpellings) {
      found.push(...spellingsOf(word.text, index));
      spellings++;
    }
    alternatives.set(word.text, found);
  }
  let phrases = 0;
  for (const match of synonyms.match(words.map(({ text }) => text))) {
    const word = words[match.at]?.text ?? '';
    for (const terms of match.phrases) {
      if (phrases++ >= maxPhrases) break;
      const found = index.having(terms);
      if (found.length === 0) continue;
      const weight = weights.synonym / Math.sqrt(terms.length);
      const own = alternatives.get(word) ?? [];
      own.push({ how: 'synonym', terms, weight, length: match.length, found });
      alternatives.set(word, own);
    }
  }
  const seen = new Set<string>();
  return words.flatMap((word) => {
    const own = alternatives.get(word.text);
    if (own === undefined || seen.has(word.text)) return [];
    seen.add(word.text);
    return [{ word, alternatives: own }];
  });
}

function formsOf(word: string, index: TextIndex): Alternative[] {
  const forms = new Set([...index.languages.map((language) => stem(word, language)), fold(word)]);
  const parts = new Set(index.compounds.parts(word).map((part) => stem(part, 'de')));
  return [
    ...[...forms].map((term) => alternative('form', [term], index.having([term]))),
    ...[...parts].map((term) => alternative('part', [term], index.having([term]))),
  ].filter(({ found }) => found.length > 0);
}

function beginningOf(word: string, index: TextIndex): Alternative[] {
  const prefix = fold(word);
  if (prefix.length < 3) return [];
  const found = index.beginning(prefix);
  return found.length === 0 ? [] : [alternative('prefix', termsOf(found), found)];
}

function spellingsOf(word: string, index: TextIndex): Alternative[] {
  const length = fold(word).length;
  if (length < 4) return [];
  const forms = new Set([...index.languages.map((language) => stem(word, language)), fold(word)]);
  return [...forms].flatMap((form) => {
    const found = index.similar(form, length < 6 ? 1 : 2);
    return found.length === 0 ? [] : [alternative('spelling', termsOf(found), found)];
  });
}

function alternative(how: Alternative['how'], terms: readonly string[], found: readonly Found[]): Alternative {
  return { how, terms, weight: weights[how], length: 1, found };
}

function termsOf(found: readonly Found[]): string[] {
  return [...new Set(found.flatMap(({ terms }) => terms))];
}
