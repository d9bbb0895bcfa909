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

/** The elements that templates may use; others do not compile. */
export type ElementName = Words<
  | 'html head meta title link script body header nav main footer article section search div h1 h2 h3 h4 h5 h6'
  | 'p blockquote pre hr ul ol li dl dt dd details summary dialog figure figcaption aside template iframe'
  | 'form fieldset legend label input button select datalist optgroup option textarea output progress'
  | 'table caption colgroup col thead tbody tfoot tr th td'
  | 'a abbr bdi br code del em ins kbd mark q s small span strong time wbr'
  // Elements of the feed and the sitemap.
  | 'feed entry subtitle id name author rights updated published category'
  | 'urlset url loc lastmod sitemapindex sitemap'
>;

/** The attributes of every element; those with a hyphen need no entry. The policy of our pages forbids `style` and `on…`. */
type AttributeName = Words<
  | 'id class lang dir href rel type title name content role tabindex charset media property datetime target'
  | 'action method accept for value maxlength required checked autofocus formnovalidate autocomplete autocapitalize spellcheck open'
  | 'minlength min max step pattern placeholder rows cols selected multiple disabled readonly inputmode enctype form'
  | 'formaction list hidden inert src srcdoc sandbox loading async defer colspan rowspan scope accesskey download'
  | 'popover popovertarget xmlns xml:lang term label'
>;

/** `undefined` and `false` omit an attribute; `true` writes only its name. */
type AttributeValue = string | number | boolean | undefined;

export type Attributes = { readonly [Name in AttributeName]?: AttributeValue } & { readonly children?: Fragment };

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
