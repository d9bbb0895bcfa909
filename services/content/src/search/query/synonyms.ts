import { analyse } from '../analysis/analyse.js';
import { stem } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import type { SynonymGroup } from '../texts/ports.js';

/** Another way to say a part of a query. */
export interface SynonymPhrase {
  readonly terms: readonly string[];
  /** The languages that have just these terms of the phrase; empty for all. */
  readonly languages: readonly string[];
}

/** A part of a query that has synonyms. */
export interface SynonymMatch {
  /** The place of its first word in the query. */
  readonly at: number;
  /** The number of its words. */
  readonly length: number;
  readonly phrases: readonly SynonymPhrase[];
  /** The only words that stop words leave of other ways, such as back of back up. They mean other things too. */
  readonly remains: readonly string[];
}

/** The synonyms of the editors, prepared for queries. */
export interface SynonymRules {
  /** Finds the parts of a query that have synonyms. The words are those of the whole query. */
  match(words: readonly string[]): readonly SynonymMatch[];
  /** Every word of the groups, with which compounds are split too. */
  readonly words: readonly string[];
}

/** Prepares groups for texts in these languages (primary tags). */
export function createSynonymRules(groups: readonly SynonymGroup[], languages: readonly string[]): SynonymRules {
  const rules = new Map<string, Set<SynonymGroup>>();
  let longest = 1;
  const sameAs = equalPhrases(groups);
  for (const group of groups) {
    // What finds a group by an acronym is found by its long forms too.
    for (const phrase of new Set([...group.words, ...group.from.flatMap((each) => [each, ...sameAs(each)])])) {
      const words = wordsOf(phrase);
      longest = Math.max(longest, words.length);
      for (const language of languages) add(rules, keyOf(words, language), group);
    }
  }
  const expanded = new Map(groups.map((group) => [group, expand(group, languages)]));

  return {
    words: groups.flatMap((group) => group.words.flatMap(wordsOf)),
    match(words) {
      const matches: SynonymMatch[] = [];
      for (let at = 0; at < words.length; at++) {
        for (let length = Math.min(longest, words.length - at); length >= 1; length--) {
          const part = words.slice(at, at + length);
          const found = new Set(languages.flatMap((language) => [...(rules.get(keyOf(part, language)) ?? [])]));
          if (found.size === 0) continue;
          const ways = [...found].flatMap((group) => expanded.get(group) ?? []);
          matches.push({
            at,
            length,
            phrases: ways.flatMap(({ phrases }) => phrases),
            remains: ways.flatMap(({ remains }) => remains),
          });
        }
      }
      return matches;
    },
  };
}

/** Gives the phrases that mean the same as one, by the groups. */
function equalPhrases(groups: readonly SynonymGroup[]): (phrase: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  for (const { words } of groups) for (const phrase of words) known.set(phrase, words);
  return (phrase) => known.get(phrase) ?? [];
}

function add(rules: Map<string, Set<SynonymGroup>>, key: string, group: SynonymGroup): void {
  const groups = rules.get(key);
  if (groups === undefined) rules.set(key, new Set([group]));
  else groups.add(group);
}

function expand({ words }: SynonymGroup, languages: readonly string[]): Pick<SynonymMatch, 'phrases' | 'remains'> {
  const phrases = new Map<string, string[]>();
  const remains = new Set<string>();
  for (const phrase of words) {
    const { length } = wordsOf(phrase);
    for (const language of languages) {
      // As in a text.
      const terms = analyse(phrase, language).map(({ term }) => term);
      const key = terms.join(' ');
      if (terms.length === 1 && length > 1) remains.add(key);
      // A stem of one language may be another word elsewhere: tend is the French stem of tender.
      else if (terms.length > 0 && isEverywhere(language)) phrases.set(key, []);
      else if (terms.length > 0) addLanguage(phrases, key, language);
    }
  }
  return {
    phrases: Array.from(phrases, ([key, each]) => ({ terms: key.split(' '), languages: each })),
    remains: [...remains],
  };
}

/** Texts in any language have tags, and many a gloss, in English. */
function isEverywhere(language: string): boolean {
  return language === 'en' || language === '';
}

function addLanguage(phrases: Map<string, string[]>, key: string, language: string): void {
  const known = phrases.get(key);
  if (known === undefined) phrases.set(key, [language]);
  else if (known.length > 0) known.push(language);
}

function wordsOf(phrase: string): string[] {
  return splitWords(phrase).map(({ text }) => text);
}

function keyOf(words: readonly string[], language: string): string {
  return words.map((word) => stem(word, language)).join(' ');
}
