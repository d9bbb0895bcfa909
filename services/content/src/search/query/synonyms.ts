import type { Logger } from '@knowledge/runtime';
import type { SynonymWords } from '../../base/search-words.js';
import type { ChangeStream } from '../../changes/stream.js';
import { analyse } from '../analysis/analyse.js';
import { stem } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import type { Way } from './asked-word.js';

/** A part of a query that has synonyms. */
interface SynonymMatch {
  /** The place of its first word in the query. */
  readonly at: number;
  /** The number of its words. */
  readonly length: number;
  /** The other ways to say it. */
  readonly ways: readonly Way[];
}

export type SynonymRules = ReturnType<typeof createSynonymRules>;

/** Prepares the synonyms of the editors for texts in these languages (primary tags). */
export function createSynonymRules(groups: readonly SynonymWords[], languages: readonly string[]) {
  const rules = new Map<string, Map<SynonymWords, Way['how']>>();
  let longest = 1;
  const equal = new Map(groups.flatMap(({ words }) => words.map((phrase) => [phrase, words])));
  for (const group of groups) {
    // What finds a group by an acronym is found by its long forms too. The words of the group mean the same, the others less or more.
    const from = [...group.from, ...group.from.flatMap((each) => equal.get(each) ?? [])];
    for (const phrase of [...from, ...group.words]) {
      const words = wordsOf(phrase);
      const how = group.words.includes(phrase) ? 'synonym' : 'related';
      longest = Math.max(longest, words.length);
      for (const language of languages) {
        const key = keyOf(words, language);
        rules.set(key, (rules.get(key) ?? new Map()).set(group, how));
      }
    }
  }
  const expanded = new Map(groups.map((group) => [group, expand(group, languages)]));
  const waysOf = (keys: readonly string[]) => {
    const found = new Map(keys.flatMap((key) => [...(rules.get(key) ?? [])]));
    return [...found].flatMap(([group, how]) => (expanded.get(group) ?? []).map((way) => ({ ...way, how })));
  };

  return {
    /** Finds the parts of a query that have synonyms. The words are those of the whole query. */
    matches(words: readonly string[]) {
      const found: SynonymMatch[] = [];
      for (const at of words.keys()) {
        for (let length = Math.min(longest, words.length - at); length >= 1; length--) {
          const part = words.slice(at, at + length);
          const ways = waysOf(languages.map((language) => keyOf(part, language)));
          if (ways.length > 0) found.push({ at, length, ways });
        }
      }
      return found;
    },
  };
}

function expand({ words }: SynonymWords, languages: readonly string[]): Way[] {
  const phrases = new Set(words.flatMap((phrase) => languages.map((language) => textTerms(phrase, language))));
  phrases.delete('');
  return Array.from(phrases, (terms) => ({ how: 'synonym', terms: terms.split(' '), weight: 1 }));
}

/** The terms of a phrase as a text has them. */
function textTerms(phrase: string, language: string) {
  const all = analyse(phrase, language);
  // The only word that stop words leave, such as back of back up, means other things too. With a hyphen they are one.
  const isLone = wordsOf(phrase).length > 1 && all.filter(({ isJoined }) => !isJoined).length === 1;
  return all.flatMap(({ term, isJoined = false }) => (isJoined === isLone ? [term] : [])).join(' ');
}

function wordsOf(phrase: string) {
  return splitWords(phrase).map(({ text }) => text);
}

function keyOf(words: readonly string[], language: string) {
  return words.map((word) => stem(word, language)).join(' ');
}

/** The groups of synonyms in memory. */
export type CurrentSynonyms = ReturnType<typeof holdSynonyms>;

const readLimitMs = 5_000;

interface CurrentSynonymsParts {
  /** Reads all groups, oldest first. */
  list(signal: AbortSignal): Promise<readonly SynonymWords[]>;
  readonly changeStream: ChangeStream;
  readonly log: Logger;
}

/** Holds the groups in memory, and reads them again when they are asked for after changes in any replica. */
export function holdSynonyms({ list, changeStream, log }: CurrentSynonymsParts) {
  let held: readonly SynonymWords[] = [];
  let read: Promise<readonly SynonymWords[]> | undefined;
  const forget = () => {
    read = undefined;
  };
  changeStream.subscribe({
    change: ({ subject }) => {
      if (subject === 'synonyms') forget();
    },
    reset: forget,
  });
  const readAgain = async () => {
    try {
      held = await list(AbortSignal.timeout(readLimitMs));
    } catch (error) {
      forget();
      log.warn({ err: error }, 'the synonyms could not be read; searches have the last ones');
    }
    return held;
  };
  return {
    /**
     * All groups, oldest first; the last known ones if they cannot be read. The array stays the same until a group changes, so results
     * can be kept with it. A caller that caches results syncs the change stream before, so that none has the old synonyms.
     */
    current: () => (read ??= readAgain()),
  };
}
