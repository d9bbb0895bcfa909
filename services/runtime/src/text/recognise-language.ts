/**
 * Recognises the language of a text as a BCP 47 tag. Empty if it is uncertain, as for short texts,
 * code and mixtures. The library needs some 60 MB, so it is loaded for the first text.
 */
export async function recogniseLanguage(text: string): Promise<string> {
  const words = text
    // Code and URLs are removed, since they look like English.
    .replace(/```[\s\S]*?```|`[^`\n]*`|\bhttps?:\S+/g, ' ')
    .slice(0, read);
  if ((words.match(/\p{L}/gu)?.length ?? 0) < leastLetters(words)) return '';
  const { eld } = await import('eld/extrasmall');
  const recognised = eld.detect(words);
  const [first = 0, second = 0] = Object.values(recognised.getScores()).sort((a, b) => b - a);
  const isCertain = recognised.isReliable() && first >= leastScore && first >= second * leastLead;
  return isCertain ? recognised.language : '';
}

// The first 2,000 characters are enough; more text does not improve the result.
const read = 2000;

// Returns the number of letters that a text must have. Short texts contain technical terms, which look like any
// language. For example, "Kafka lag alert runbook" looks like Norwegian.
function leastLetters(text: string): number {
  return /[\p{Script=Latin}\p{Script=Cyrillic}]/u.test(text) ? 40 : 12;
}

/** The score that a text needs. Prose scores higher; lists of technical terms score lower. */
const leastScore = 0.67;

/** The best score must be this many times the second. Danish and Norwegian are often closer. */
const leastLead = 1.03;
