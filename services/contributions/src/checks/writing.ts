import { spaceless } from '../domain/search-terms.js';
import type { TextCheck } from './check.js';

/** Finds texts in capital letters, and rows of exclamation marks. */
export const shouting: TextCheck = ({ words: text }) => {
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const small = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (capitals >= 20 && capitals > small) return { weight: 10, text: 'most letters are capitals' };
  return /[!?¡¿！？]{4}/u.test(text) ? { weight: 5, text: 'a row of exclamation or question marks' } : undefined;
};

/** Finds a long text without a space in a script that has spaces, such as encoded data. */
export const noSpaces: TextCheck = ({ words }) => {
  for (const [run] of words.matchAll(/[^\s]{200,}/gu)) {
    const count = run.match(signs)?.length ?? 0;
    if (count * 2 < run.length) return { weight: 12, text: `${run.length} characters without a space` };
  }
  return undefined;
};

/** Finds words of two alphabets at once, and texts in another script than that of their language. */
export const foreignScript: TextCheck = ({ words: text, language }) => {
  const mixed = /\p{sc=Latin}[\p{sc=Cyrl}\p{sc=Grek}]|[\p{sc=Cyrl}\p{sc=Grek}]\p{sc=Latin}/u.exec(text);
  if (mixed !== null) return { weight: 20, text: 'a word with letters of two alphabets' };
  const script = lettersOf(language);
  if (script === undefined) return undefined;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(script)?.length ?? 0;
  if (letters < 20 || own * 2 >= letters) return undefined;
  return { weight: 10, text: `most letters are not of the script of its language, ${language}` };
};

/** The letters of the script of a language. */
function lettersOf(language: string): RegExp | undefined {
  try {
    const { script = '' } = new Intl.Locale(language).maximize();
    return new RegExp(
      `[${(several[script] ?? script).replace(/\w+,?/g, (name) => `\\p{sc=${name.replace(',', '')}}`)}]`,
      'gu',
    );
  } catch {
    // It is no language, or Node knows no letters of this script.
    return undefined;
  }
}

// Scripts that are written with letters of several alphabets.
const several: Readonly<Record<string, string>> = { Jpan: 'Han,Hira,Kana', Kore: 'Hang,Han', Hans: 'Han', Hant: 'Han' };

const signs = new RegExp(`[${spaceless}]`, 'gu');
