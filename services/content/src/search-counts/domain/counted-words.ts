import { containsAddress, withoutHiddenCharacters } from '@knowledge/runtime';

const most = { words: 12, wordLength: 40, digits: 5 } as const;
/** The check for addresses is costly for long texts, and a longer query is hardly an address alone. */
const checkedLength = 200;

/**
 * Returns the words under which a search is counted: in lower case, without signs, at most twelve. Undefined if the query
 * has no words, or may name a person or a secret: it has an address, a long number or a very long word.
 */
export function countedWords(query: string): string | undefined {
  const plain = withoutHiddenCharacters(query.normalize('NFKC')).toLowerCase();
  if (plain.includes('@') || containsAddress(plain.slice(0, checkedLength))) return undefined;
  const words = plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  if (words.length === 0 || words.some(mayBeSecret)) return undefined;
  return words.slice(0, most.words).join(' ');
}

function mayBeSecret(word: string): boolean {
  return word.length > most.wordLength || (word.match(/\p{N}/gu)?.length ?? 0) > most.digits;
}
