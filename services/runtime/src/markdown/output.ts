import type { StateCore, Token } from 'markdown-it';
import { escapeHtml } from '../text/escape-html.js';
import { Meter } from './parser.js';

/**
 * Bounds the markup that a page makes of a text. A reference, for example, repeats a long target for each short link.
 *
 * @throws TooMuchWork
 */
export function boundOutput({ src, tokens }: StateCore): void {
  const output = new Meter(src, 9);
  const direction = hasRightToLeft(src) ? ' dir="rtl"'.length : 0;
  for (const token of tokens) {
    if (token.map !== null) output.line = token.map[0];
    if (token.children === null) output.spend(sizeOf(token) + (token.nesting === 1 ? direction : 0));
    else for (const child of token.children) output.spend(sizeOf(child));
  }
}

function sizeOf({ type, tag, nesting, content, info, attrs, meta, hidden }: Token) {
  if (hidden) return 0;
  let size = tag === '' ? 0 : tag.length + 5;
  if (type === 'fence') size += 50 + escapeHtml(info).length;
  if (content !== '') size += escapeHtml(content).length;
  if (typeof meta?.['href'] === 'string')
    size += escapeHtml(meta['href']).length + ' href="" rel="nofollow ugc noopener noreferrer"'.length;
  else
    for (const [name, value] of attrs ?? []) if (/^(?:style|class|value)$/.test(name)) size += 8 + String(value).length;
  if (nesting === 1 && typeof meta?.['id'] === 'string')
    size += 50 + meta['id'].length + String(meta['earlier']).length;
  return size;
}

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

function countLetters(text: string) {
  return text.match(/\p{L}/gu)?.length ?? 0;
}

function countRightToLeft(text: string) {
  return text.match(rightToLeft)?.length ?? 0;
}

const rightToLeft = /(?=[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}])\p{L}/gu;

const rightToLeftScripts: ReadonlySet<string> = new Set(
  'Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi'.split(' '),
);
