/** Splits German compounds into words that the German texts also have alone. */
export interface Compounds {
  /** Learns a word of a German text. */
  learn(word: string): void;
  /** The parts of a compound, in order; empty for a word that is none. */
  parts(word: string): readonly string[];
}

/** The largest number of learnt words; they need about 15 MB. Further words are not learnt. */
const maxWords = 200_000;
const shortestPart = 4;
const shortestCompound = 9;

export function createCompounds(): Compounds {
  const words = new Set<string>();

  // The first part may have a joint, such as the s in Datensicherungsplan, or have lost its last letters.
  const head = (part: string): string | undefined => {
    for (const form of [part, part.replace(/(?:es|s|en|n|er|e)$/, '')]) {
      if (form.length < shortestPart) continue;
      if (words.has(form) || words.has(`${form}e`) || words.has(`${form}en`)) return form;
    }
    return undefined;
  };

  return {
    learn(word) {
      if (word.length >= shortestPart && words.size < maxWords) words.add(word);
    },
    parts(word) {
      if (word.length < shortestCompound) return [];
      for (let at = word.length - shortestPart; at >= shortestPart; at--) {
        const tail = word.slice(at);
        if (!words.has(tail)) continue;
        const first = head(word.slice(0, at));
        if (first !== undefined) return [first, tail];
        if (tail.length > shortestPart) return [tail];
      }
      return [];
    },
  };
}
