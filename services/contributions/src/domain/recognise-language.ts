import { eld } from 'eld/extrasmall';

/** The language of a text (BCP 47); empty where it cannot be told with certainty: a short text, code, a mixture. */
export function recogniseLanguage(text: string): string {
  const words = text
    // Code and addresses read like English.
    .replace(/```[\s\S]*?```|`[^`\n]*`|\bhttps?:\S+/g, ' ')
    .slice(0, read);
  if ((words.match(/\p{L}/gu)?.length ?? 0) < leastLetters) return '';
  const recognised = eld.detect(words);
  return recognised.isReliable() ? recognised.language : '';
}

// More text makes it no surer.
const read = 2000;
const leastLetters = 12;
