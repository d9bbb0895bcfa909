import { escapeHtml } from '../text/escape-html.js';

/** Markup that is safe to send: made by a JSX template, or by `trusted`. */
export interface Html {
  readonly markup: string;
}

/** A value in a template. Markup is kept, text is escaped; `undefined`, `null` and `false` write nothing. */
export type Fragment = Html | string | number | false | null | undefined | readonly Fragment[];

/** Marks markup as safe. Only our own code or a sanitizer may have made it. */
export function trusted(markup: string): Html {
  return { markup };
}

/** Copies markup that is cached. V8 keeps a joined text as its pieces, and would read all of them at every use. */
export function inOnePiece({ markup }: Html): Html {
  return trusted(Buffer.from(markup).toString());
}

/** Turns a template value into markup. */
export function markupOf(value: Fragment): string {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  if ('markup' in value) return value.markup;
  let markup = '';
  // `join` would copy a long text at each level of the page; appending copies nothing.
  for (const each of value) markup += markupOf(each);
  return markup;
}

/** An XML document, where elements without content end with `/>`. */
export function xmlDocument({ markup }: Html): string {
  const ended = markup.replace(/<(?:link|category) [^>]*/g, '$&/');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${ended}\n`;
}
