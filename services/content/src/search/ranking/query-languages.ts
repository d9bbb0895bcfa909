import { isCommonWord, isQuestionWord, isStopWord, questionLanguages } from '../analysis/stop-words.js';
import type { Word } from '../analysis/words.js';
import type { Found } from '../index/found.js';
import type { WordIndex } from '../index/text-index.js';

/**
 * The languages in which a query may be: those that know most of its words. A language knows a word that is frequent in it, or
 * that its texts have. Empty if none knows any.
 */
export function languagesOfQuery(
  words: readonly Word[],
  alternatives: ReadonlyMap<string, readonly { readonly how: string; readonly found: Found }[]>,
  index: Pick<WordIndex, 'languages' | 'facts'>,
): readonly string[] {
  // A query may be in a language that no text has.
  const languages = [...new Set([...index.languages, ...questionLanguages()])];
  const counts = new Map<string, number>();
  for (const { text } of words) {
    const own = new Set(
      languages.filter((each) => isStopWord(text, each) || isQuestionWord(text, each) || isCommonWord(text, each)),
    );
    for (const { how, found } of alternatives.get(text) ?? [])
      if (how === 'form') for (const language of languagesOfTexts(found.texts, index)) own.add(language);
    for (const language of own) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  return [...counts].flatMap(([language, count]) => (count === most ? [language] : []));
}

/** The languages of some texts. Of many texts only the first are looked at. */
export function languagesOfTexts(texts: Uint32Array, { facts }: Pick<WordIndex, 'facts'>): Set<string> {
  const codes = new Set<number>();
  const end = Math.min(texts.length, mostTexts);
  for (let at = 0; at < end; at++) codes.add(facts.language[texts[at] ?? 0] ?? 0);
  return new Set([...codes].map((code) => facts.languages.value(code)));
}

const mostTexts = 50;
