import { eld } from 'eld/extrasmall';

/** The language of a text (BCP 47); empty where it cannot be known with certainty: a short text, code, a mixture. */
export function recogniseLanguage(text: string): string {
  const words = text
    // Code and addresses read like English.
    .replace(/```[\s\S]*?```|`[^`\n]*`|\bhttps?:\S+/g, ' ')
    .slice(0, read);
  if ((words.match(/\p{L}/gu)?.length ?? 0) < leastLetters(words)) return '';
  const recognised = eld.detect(words);
  const [first = 0, second = 0] = Object.values(recognised.getScores()).sort((a, b) => b - a);
  const isCertain = recognised.isReliable() && first >= leastScore && first >= second * leastLead;
  return isCertain ? recognised.language : '';
}

// More text makes it no surer.
const read = 2000;

// Terms of the trade fill short texts and read like any language of these scripts: "Kafka lag alert runbook" like Norwegian.
function leastLetters(text: string): number {
  return /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text) ? 40 : 12;
}

/** Prose scores above it, lists of terms of the trade below. */
const leastScore = 0.67;

/** How far the first must be ahead of the second; Danish and Norwegian are often closer. */
const leastLead = 1.03;
