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
  return titleDirection(text, 'ltr');
}

/** Whether a letter of a text is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return text.search(rightToLeft) >= 0;
}

/** The direction of a title or block. Among words from right to left, Latin names are usual, and not the other way round. */
export function titleDirection(title: string, ofText: Direction): Direction {
  const [letters, fromRight] = [countLetters(title), countRightToLeft(title)];
  if (letters === 0) return ofText;
  return fromRight > (ofText === 'rtl' ? 0 : letters / 2) ? 'rtl' : 'ltr';
}

/** Gives a direction to each paragraph, heading, item and cell that has another one than the text. */
export function setDirections(tokens: readonly Token[], ofText: Direction): void {
  for (const [at, { children }] of tokens.entries()) {
    // Code has no direction of its own.
    const words = (children ?? []).map(({ type, content }) => (type === 'text' ? content : '')).join('');
    const own = titleDirection(words, ofText);
    if (own === ofText) continue;
    const around = tokens[at - 1];
    (around?.hidden ? tokens[at - 2] : around)?.attrSet('dir', own);
  }
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
