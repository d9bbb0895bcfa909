/** Markup that is safe to send: made by a JSX template, or by `trusted`. */
export interface Html {
  readonly markup: string;
}

/** What a template takes: markup as it is, text escaped, nothing for what is absent. */
export type Fragment = Html | string | number | false | undefined | readonly Fragment[];

/** Marks markup as safe that our own code or a sanitizer made. */
export function trusted(markup: string): Html {
  return { markup };
}

/** The markup of a value of a template, with every text escaped. */
export function markupOf(value: Fragment): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'markup' in value ? value.markup : value.map(markupOf).join('');
}

/** A whole document of XML, where an element without content says that it ends. */
export function xmlDocument({ markup }: Html): string {
  const ended = markup.replace(/<(?:link|category) [^>]*/g, '$&/');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${ended}\n`;
}

/** Text as it stands in markup and in quoted attributes. */
export function escapeHtml(text: string): string {
  // Most texts have nothing to escape, and a search is cheaper than a replacement.
  return special.test(text) ? text.replace(everySpecial, (each) => entities[each] ?? each) : text;
}

const special = /[&<>"']/;
const everySpecial = /[&<>"']/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
