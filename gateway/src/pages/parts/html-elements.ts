import type { Fragment } from './html.js';

/** The elements that templates may use; others do not compile. */
export type ElementName = Words<
  | 'html head meta title link script body header nav main footer article section search div h1 h2 h3 h4 h5 h6'
  | 'p blockquote pre ul ol li dl dt dd details summary form fieldset legend label input button'
  | 'a bdi code mark q span strong time wbr'
  // Elements of the feed and the sitemap.
  | 'feed entry subtitle id name author rights updated published category'
  | 'urlset url loc lastmod sitemapindex sitemap'
>;

/** The attributes of every element, besides `aria-…`. The policy of our pages forbids `style` and `on…`. */
type AttributeName = Words<
  | 'id class lang dir href rel type title name content role tabindex charset media property datetime target'
  | 'action method for value maxlength required checked autofocus formnovalidate autocomplete autocapitalize spellcheck open'
  | 'xmlns xml:lang term label'
>;

/** `undefined` and `false` omit an attribute; `true` writes only its name. */
export type AttributeValue = string | number | boolean | undefined;

export type Attributes = { readonly [Name in AttributeName]?: AttributeValue } & { readonly children?: Fragment };

type Words<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text;
