import { fold } from './fold.js';
import { germanWords } from './german-words.js';
import { splitWords } from './words.js';

/** The largest number of learnt words; they need about 15 MB. Further words are not learnt. */
const maxWords = 200_000;
const shortestPart = 4;
const shortestCompound = 9;
/** A part after an unknown one must be this long, or it is a part by chance. */
const shortestLonePart = 5;

const verbPrefixes =
  /^(?:ab|an|auf|aus|bei|be|dar|durch|ein|ent|er|fort|frei|ge|her|hin|los|mit|nach|nieder|um|ver|voraus|vor|weg|weiter|wieder|zer|zurück|zusammen|zu)+/;
/** The ending of an infinitive. Nouns such as Weiterbildungen have it too. */
const isVerb = /(?<!ung|heit|keit|schaft|tät|ion)e[lr]?n$/;

/** Splits German compounds into words that the German texts also have alone, and into frequent ones. */
export type Compounds = ReturnType<typeof createCompounds>;

export function createCompounds() {
  const words = new Set<string>(germanWords.flatMap(formsOf));

  const known = (part: string): string | undefined => formsOf(part).find((form) => words.has(form));

  // A prefix gives a verb another meaning: freistellen and abbestellen are no kinds of stellen.
  const isPrefixedVerb = (word: string): boolean => {
    const [prefixes] = verbPrefixes.exec(word) ?? [];
    return prefixes !== undefined && isVerb.test(word) && known(word.slice(prefixes.length)) !== undefined;
  };

  // Every head is a beginning of the same word. So its length is enough to try none twice.
  const split = (word: string, tried = new Set<number>()): readonly string[] | undefined => {
    if (word.length < 2 * shortestPart || tried.has(word.length)) return undefined;
    tried.add(word.length);
    // The last part decides what a compound is about, so it should be long.
    for (let at = shortestPart; at <= word.length - shortestPart; at++) {
      if (known(word.slice(at)) === undefined) continue;
      const head = word.slice(0, at);
      const heads = known(head) === undefined ? split(head, tried) : [head];
      if (heads !== undefined) return [...heads, word.slice(at)];
    }
    return undefined;
  };

  return {
    /** Whether it learns no more words. */
    get isFull(): boolean {
      return words.size >= maxWords;
    },
    /** Learns the words of a German text. */
    learn(text: string): void {
      for (const { text: word } of splitWords(text))
        if (word.length >= shortestPart && words.size < maxWords) for (const form of formsOf(word)) words.add(form);
    },
    /** The parts of a compound, in order; empty for a word that is none. */
    parts(word: string): readonly string[] {
      if (word.length < shortestCompound || isPrefixedVerb(word)) return [];
      const whole = split(word);
      // A part before the last may have a joint, such as the s in Datensicherungsplan.
      if (whole !== undefined)
        return whole.map((part, at) => (at === whole.length - 1 || words.has(fold(part)) ? part : withoutEnding(part)));
      for (let at = shortestPart; at <= word.length - shortestLonePart; at++) {
        if (known(word.slice(at)) !== undefined) return [word.slice(at)];
      }
      return [];
    },
  };
}

/** A word without accents, as it is and without its ending, so that forms of one word meet. */
function formsOf(word: string): string[] {
  const bare = withoutEnding(word);
  return [fold(word), fold(bare)].filter((form) => form.length >= shortestPart);
}

function withoutEnding(word: string): string {
  return word.replace(/(?:ern|en|er|es|em|n|e|s)$/, '');
}
