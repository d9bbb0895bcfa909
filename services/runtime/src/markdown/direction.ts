import type { Token } from 'markdown-it';

/** The direction of writing. */
export type Direction = 'ltr' | 'rtl';

/** The direction of a language, else that of most letters of a text. */
export function directionOf(language: string | undefined, text: string): Direction {
  if (!hasRightToLeft(text)) return 'ltr';
  try {
    const { script } = new Intl.Locale(language ?? '').maximize();
    if (script !== undefined) return rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
  } catch {
    // No language, or one that nobody knows.
  }
  return balanceOf(text) > 0 ? 'rtl' : 'ltr';
}

/** Whether a letter of a text is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return text.search(rightToLeft) >= 0;
}

/** The direction of a title above a text: that of the text, unless no letter of the title has it. */
export function titleDirection(title: string, ofText: Direction): Direction {
  const [letters, fromRight] = [countLetters(title), countRightToLeft(title)];
  if (fromRight === letters) return letters === 0 ? ofText : 'rtl';
  return fromRight === 0 ? 'ltr' : ofText;
}

/** Gives a direction to each paragraph, heading, item and cell in which most letters have another one than the text. */
export function setDirections(tokens: readonly Token[], ofText: Direction): void {
  for (const [at, { children }] of tokens.entries()) {
    // Code has no direction of its own.
    const words = (children ?? []).map(({ type, content }) => (type === 'text' ? content : '')).join('');
    const balance = balanceOf(words);
    const own = balance > 0 ? 'rtl' : 'ltr';
    if (balance === 0 || own === ofText) continue;
    const around = tokens[at - 1];
    (around?.hidden ? tokens[at - 2] : around)?.attrSet('dir', own);
  }
}

/** How many more letters are written from right to left than from left to right. */
function balanceOf(text: string): number {
  return 2 * countRightToLeft(text) - countLetters(text);
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

function countRightToLeft(text: string): number {
  return text.match(rightToLeft)?.length ?? 0;
}

const rightToLeft = /(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])\p{L}/gu;

const rightToLeftScripts: ReadonlySet<string> = new Set(
  'Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '),
);
