import { refuse, withoutHiddenCharacters } from '@knowledge/runtime';
import { lookAlikes } from '@knowledge/runtime/names';
import { bounds, type LineName, lineNames } from '@knowledge/runtime/product';
import type { Contribution } from './contribution.js';

/** The largest number of stored terms. A text of 8,000 characters seldom has more than 900 different words. */
const mostTerms = 2_000;

/** The largest number of words in a query. */
const mostWords = 10;

type Searched = Pick<Contribution, LineName | 'body' | 'name' | 'prompt' | 'language' | 'agentName' | 'purpose'>;

/**
 * The terms by which moderators find a contribution: hashes of its words, its language and the name of its agent.
 * Beyond 2,000 terms, the last words of the body are left out.
 */
export function searchTerms({ body, name, prompt, language, agentName, purpose, ...lines }: Searched): number[] {
  const terms = new Set([
    ...languageTerms(language),
    agentTerm(agentName),
    ...purposeTerms(purpose),
    ...nameTerms(name ?? ''),
  ]);
  for (const text of [...lineNames.map((line) => lines[line]), name, prompt?.question, body]) {
    for (const word of wordsOf(text ?? '')) {
      if (terms.size === mostTerms) return [...terms];
      terms.add(hash32(word));
    }
  }
  return [...terms];
}

/** The term of a language tag. Contributions in `de-CH` have those of `de` and `de-CH`. */
export function languageTerm(tag: string): number {
  return hash32(`language:${tag.toLowerCase()}`);
}

/** The term of the name of an agent. Case and accents are folded. */
export function agentTerm(agentName: string): number {
  return hash32(`agent:${foldText(agentName).trim()}`);
}

/** The terms of the name of an author. Names that look alike have one in common. */
export function nameTerms(name: string): number[] {
  return lookAlikes(name)
    .map((form) => form.replace(/[^\p{L}\p{N}]+/gu, ''))
    .filter((form) => form !== '')
    .map((form) => hash32(`name:${form}`));
}

/** The term of a purpose. Questions have none, since most inquiries are questions. */
export function purposeTerms(purpose: Contribution['purpose'] | undefined): number[] {
  return purpose === 'correction' || purpose === 'report' ? [hash32(`purpose:${purpose}`)] : [];
}

/** The term of texts that could not be compared with published ones yet. The worker finds them by it. */
export const uncomparedTerm = hash32('uncompared:');

/**
 * The terms of the words of a query.
 *
 * @throws KnowledgeError `validation_error` for a query without words, or with too many.
 */
export function queryTerms(query: string): number[] {
  if (query.length > bounds.query.max) refuse(`query must be at most ${bounds.query.max} characters`);
  const terms = new Set<number>();
  for (const word of wordsOf(query, true)) {
    terms.add(hash32(word));
    if (terms.size > mostWords) refuse(`query must have at most ${mostWords} words`);
  }
  if (terms.size === 0) refuse('query must have a word');
  return [...terms];
}

function languageTerms(tag: string) {
  if (tag === '') return [];
  return [tag, tag.split('-', 1)[0] ?? tag].map(languageTerm);
}

/** The words of a text. Scripts without spaces give each pair of letters, and for texts each letter too. */
function* wordsOf(text: string, isQuery = false): Generator<string> {
  for (const [run] of foldText(text).matchAll(runs)) {
    const letters = [...run];
    if (letters.length === 1 || !withoutSpaces.test(run)) {
      yield run;
      continue;
    }
    for (const [at, letter] of letters.entries()) {
      if (!isQuery) yield letter;
      const next = letters[at + 1];
      if (next !== undefined) yield letter + next;
    }
  }
}

/** The scripts without spaces between words, as part of a class of a regular expression. */
export const spaceless = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}';
const withoutSpaces = new RegExp(`^[${spaceless}]`, 'u');
const letter = '[\\p{L}\\p{M}\\p{N}]';
const runs = new RegExp(`(?:(?=${letter})[${spaceless}])+|(?:(?![${spaceless}])${letter})+`, 'gu');

/** Folds case, accents and compatibility forms. Hidden characters are left out, so that they separate no words. */
export function foldText(text: string): string {
  return withoutHiddenCharacters(text)
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => plain[letter] ?? letter);
}

// Letters that Unicode does not decompose.
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A 32-bit hash of a short text, signed as MongoDB stores it (FNV-1a with a final mix). */
function hash32(text: string) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix32(hash);
}

/** Spreads each bit of a number over all 32 bits. */
export function mix32(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
