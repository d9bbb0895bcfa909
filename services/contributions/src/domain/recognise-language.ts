import { eld } from 'eld/extrasmall';

/** Recognises the language of a text as a BCP 47 tag. Empty if it is uncertain: short texts, code, mixtures. */
export function recogniseLanguage(text: string): string {
  const words = text
    // Code and URLs look like English.
    .replace(/```[\s\S]*?```|`[^`\n]*`|\bhttps?:\S+/g, ' ')
    .slice(0, read);
  if ((words.match(/\p{L}/gu)?.length ?? 0) < leastLetters(words)) return '';
  const recognised = eld.detect(words);
  const [first = 0, second = 0] = Object.values(recognised.getScores()).sort((a, b) => b - a);
  const isCertain = recognised.isReliable() && first >= leastScore && first >= second * leastLead;
  return isCertain ? recognised.language : '';
}

// More text does not improve the result.
const read = 2000;

// Short texts are full of technical terms, which look like any language: "Kafka lag alert runbook" looks like
// Norwegian.
function leastLetters(text: string): number {
  return /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text) ? 40 : 12;
}

/** Prose scores above this, lists of technical terms below. */
const leastScore = 0.67;

/** The required lead of the best language. Danish and Norwegian are often closer. */
const leastLead = 1.03;
