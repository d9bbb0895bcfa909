import type { TextCheck } from './check.js';

/** Finds texts in capital letters, and rows of exclamation marks. */
export const shouting: TextCheck = ({ title, body }) => {
  const text = `${title ?? ''}\n${body}`;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const small = text.match(/\p{Ll}/gu)?.length ?? 0;
  if (capitals >= 20 && capitals > small) return { weight: 10, text: 'most letters are capitals' };
  return /[!?¡¿！？]{4}/u.test(text) ? { weight: 5, text: 'a row of exclamation or question marks' } : undefined;
};

/** Finds a long text without a space in a script that has spaces, such as encoded data. */
export const noSpaces: TextCheck = ({ body }) => {
  for (const [run] of body.matchAll(/[^\s]{200,}/gu)) {
    const spaceless = run.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/gu);
    const count = spaceless?.length ?? 0;
    if (count * 2 < run.length) return { weight: 12, text: `${run.length} characters without a space` };
  }
  return undefined;
};

/** Finds words of two alphabets at once, and texts in another script than that of their language. */
export const foreignScript: TextCheck = ({ title, body, language }) => {
  const text = `${title ?? ''}\n${body}`;
  const mixed = /\p{sc=Latin}[\p{sc=Cyrl}\p{sc=Grek}]|[\p{sc=Cyrl}\p{sc=Grek}]\p{sc=Latin}/u.exec(text);
  if (mixed !== null) return { weight: 20, text: 'a word with letters of two alphabets' };
  const script = scriptOf(language);
  if (script === undefined) return undefined;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const own = text.match(script.letters)?.length ?? 0;
  if (letters < 20 || own * 2 >= letters) return undefined;
  return { weight: 10, text: `most letters are not of the script of its language, ${language}` };
};

interface Script {
  letters: RegExp;
}

function scriptOf(language: string): Script | undefined {
  if (language === '') return undefined;
  try {
    const name = new Intl.Locale(language).maximize().script;
    const names = name === undefined ? undefined : (several[name] ?? [name]);
    if (names === undefined) return undefined;
    return { letters: new RegExp(`[${names.map((each) => `\\p{sc=${each}}`).join('')}]`, 'gu') };
  } catch {
    // Node knows no letters of this script.
    return undefined;
  }
}

// Scripts that are written with letters of several alphabets.
const several: Readonly<Record<string, readonly string[]>> = {
  Jpan: ['Han', 'Hira', 'Kana'],
  Kore: ['Hang', 'Han'],
  Hans: ['Han'],
  Hant: ['Han'],
};
