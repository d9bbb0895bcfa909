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

/** Gives a direction to each block in which most letters have another one than the block around it. */
export function setDirections(tokens: readonly Token[], base: Direction): void {
  const balances = new Map<Token, number>();
  const around: Token[] = [];
  for (const token of tokens) {
    if (token.nesting === 1) around.push(token);
    else {
      const balance = token.nesting === -1 ? (balances.get(around.pop() as Token) ?? 0) : balanceIn(token);
      const outer = around.at(-1);
      if (outer !== undefined) balances.set(outer, (balances.get(outer) ?? 0) + balance);
    }
  }
  const directions = [base];
  for (const token of tokens) {
    const outer = directions.at(-1) ?? base;
    const balance = directed.test(token.type) ? (balances.get(token) ?? 0) : 0;
    const own = balance === 0 ? outer : balance > 0 ? 'rtl' : 'ltr';
    if (own !== outer) token.attrSet('dir', own);
    if (token.nesting === 1) directions.push(own);
    if (token.nesting === -1) directions.pop();
  }
}

const directed = /^(?:paragraph|heading|bullet_list|ordered_list|list_item|blockquote|th|td|footnote)_open$/;

/** How many more letters of an inline token are written from right to left than from left to right. Code has none. */
function balanceIn({ children }: Token): number {
  return (children ?? []).reduce((sum, { type, content }) => sum + (type === 'text' ? balanceOf(content) : 0), 0);
}

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
