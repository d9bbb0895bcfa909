import { splitWords } from '../analysis/words.js';
import { fields, isGerman, type PreparedText } from '../index/prepare.js';
import type { SearchText } from '../index/search-text.js';

/** The words of a text as the database keeps them beside it. */
export interface TextWords {
  /** The prepared words of the fields, each field on a line. */
  readonly prepared: string;
  /** The different words of a German text as they are written, which teach the parts of compounds. */
  readonly german: string;
}

export function textWordsOf(text: SearchText, prepared: PreparedText): TextWords {
  const written = isGerman(text) ? [text.title, text.summary, text.body].flatMap(splitWords) : [];
  const words = new Set(written.flatMap((word) => (word.text.length >= shortestPart ? [word.text] : [])));
  return { prepared: fields.map((field) => prepared[field]).join('\n'), german: [...words].join(' ') };
}

/** Shorter words are no parts of compounds. */
const shortestPart = 4;
/** Marks a word of a German text as it is written. No prepared word begins with it. */
const writtenMark = '=';

/** The written word of a term that only teaches compounds; undefined for a prepared word. */
export function writtenWord(term: string): string | undefined {
  return term.startsWith(writtenMark) ? term.slice(writtenMark.length) : undefined;
}

/** How often each field has each term of a text. */
export function countTerms({ prepared, german }: TextWords): Map<string, number[]> {
  const terms = new Map<string, number[]>();
  for (const [field, words] of prepared.split('\n').entries()) {
    for (const term of words.split(' ')) {
      if (term === '') continue;
      let counts = terms.get(term);
      if (counts === undefined) {
        counts = fields.map(() => 0);
        terms.set(term, counts);
      }
      counts[field] = (counts[field] ?? 0) + 1;
    }
  }
  for (const word of german.split(' ')) if (word !== '') terms.set(`${writtenMark}${word}`, []);
  return terms;
}

/** The number of different words in each field, where an empty field counts as one, as in MiniSearch. */
export function fieldLengths({ prepared }: Pick<TextWords, 'prepared'>): number[] {
  return prepared.split('\n').map((words) => Math.min(new Set(words.split(' ')).size, 65_535));
}

/** The prepared text again. */
export function preparedOf({ prepared }: Pick<TextWords, 'prepared'>): PreparedText {
  const lines = prepared.split('\n');
  return Object.fromEntries(fields.map((field, at) => [field, lines[at] ?? ''])) as PreparedText;
}
