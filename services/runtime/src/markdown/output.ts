import type { StateCore, Token } from 'markdown-it';
import { escapeHtml } from '../text/escape-html.js';
import { hasRightToLeft } from './direction.js';
import { Meter } from './meter.js';

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

function sizeOf({ type, tag, nesting, content, info, attrs, meta, hidden }: Token): number {
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
