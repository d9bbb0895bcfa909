import { deferred, type Logger, startLoop } from '@knowledge/runtime';
import type { ChangeStream } from '../../domain/change-stream.js';
import type { SynonymWords } from '../../domain/search-words.js';
import { analyse } from '../analysis/analyse.js';
import { stem } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import type { Way } from './asked-word.js';
import { closestTerms } from './spelling.js';

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
  /** The phrases that are one word, by their stems. */
  const single = new Map<string, string>();
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
        if (words.length === 1) single.set(key, phrase.toLowerCase());
        rules.set(key, (rules.get(key) ?? new Map()).set(group, how));
      }
    }
  }
  const waysOf = new Map(groups.map((group) => [group, expand(group, languages)]));

  return {
    /** Finds the parts of a query that have synonyms. The words are those of the whole query. */
    matches(words: readonly string[]) {
      const found: SynonymMatch[] = [];
      for (const at of words.keys()) {
        for (let length = Math.min(longest, words.length - at); length >= 1; length--) {
          const part = words.slice(at, at + length);
          const groups = new Map(languages.flatMap((language) => [...(rules.get(keyOf(part, language)) ?? [])]));
          const ways = [...groups].flatMap(([group, how]) => (waysOf.get(group) ?? []).map((way) => ({ ...way, how })));
          if (groups.size > 0) found.push({ at, length, ways });
        }
      }
      return found;
    },
    /** The word of the editors that a misspelled word most likely means. */
    closest(word: string) {
      if (word.length < shortestMisspelled) return undefined;
      const terms = {
        beginningWith: (letter: string) => [...single.keys()].filter((term) => term.startsWith(letter)),
        frequency: (term: string) => Number(single.has(term)),
      };
      const [best] = closestTerms(word, languages, terms, false);
      return single.get(best?.term ?? '');
    },
  };
}

/** A shorter word is often another one: salsa is not sales. */
const shortestMisspelled = 8;

function expand({ words }: SynonymWords, languages: readonly string[]): Way[] {
  // The languages that have just these terms; empty for all.
  const phrases = new Map<string, string[]>();
  for (const phrase of words) {
    const { length } = wordsOf(phrase);
    for (const language of languages) {
      // As in a text.
      const all = analyse(phrase, language);
      // The only word that stop words leave, such as back of back up, means other things too. With a hyphen they are one.
      const isLone = length > 1 && all.filter(({ isJoined }) => !isJoined).length === 1;
      const terms = all.flatMap(({ term, isJoined = false }) => (isJoined === isLone ? [term] : [])).join(' ');
      if (terms === '') continue;
      const known = phrases.get(terms);
      // A stem of one language may be another word elsewhere: tend is the French stem of tender. Texts in any language have tags,
      // and many a gloss, in English.
      if (language === 'en' || language === '') phrases.set(terms, []);
      else if (known === undefined) phrases.set(terms, [language]);
      else if (known.length > 0) known.push(language);
    }
  }
  return Array.from(phrases, ([key, each]) => ({ how: 'synonym', terms: key.split(' '), weight: 1, languages: each }));
}

function wordsOf(phrase: string) {
  return splitWords(phrase).map(({ text }) => text);
}

function keyOf(words: readonly string[], language: string) {
  return words.map((word) => stem(word, language)).join(' ');
}

/** The groups of synonyms in memory. */
export type CurrentSynonyms = ReturnType<typeof holdSynonyms>;

/** A change is read when a search asks for it, and else after this pause. A read that failed is tried again after it, and longer ones. */
const pauseMs = 1000;

interface CurrentSynonymsDependencies {
  /** Reads all groups, oldest first. */
  list(signal: AbortSignal): Promise<readonly SynonymWords[]>;
  readonly changeStream: ChangeStream;
  readonly log: Logger;
}

/** Holds the groups in memory, and reads them again after changes in any replica, many of an import at once. */
export function holdSynonyms({ list, changeStream, log }: CurrentSynonymsDependencies) {
  let held: readonly SynonymWords[] = [];
  let due: 'change' | 'retry' | undefined = 'change';
  let read = deferred();
  const loaded = deferred();
  const loop = startLoop({
    name: 'synonyms',
    pauseMs,
    log,
    async round(signal) {
      if (due === undefined) return false;
      due = undefined;
      const { resolve } = read;
      try {
        held = await list(signal);
        loaded.resolve();
      } catch (error) {
        due ??= 'retry';
        throw error;
      } finally {
        resolve();
      }
      return false;
    },
  });
  const reload = () => {
    if (due === 'change') return;
    // Who asks from now on waits for a read that begins after this change.
    read = deferred();
    due = 'change';
  };
  const unsubscribe = changeStream.subscribe({
    change: ({ subject }) => {
      if (subject === 'synonyms') reload();
    },
    reset: reload,
  });
  return {
    /** All groups, oldest first. The array stays the same until a group changes, so results can be kept with it. */
    current: () => held,
    /**
     * Resolves when no read is due, or when the due read has ended, even if it failed. A caller that caches results syncs
     * the change stream, awaits this, and then searches, so that no cached result has the old synonyms.
     */
    settled: () => {
      if (due === 'change') loop.kick();
      return read.promise;
    },
    /** Resolves when the groups were read for the first time. */
    loaded: loaded.promise,
    async close() {
      unsubscribe();
      await loop.close();
    },
  };
}
