import { escapeHtml } from '../text/escape-html.js';
import { type Attributes, type ElementName, type Html, type Fragment as Markup, markupOf, trusted } from './html.js';

/** Makes the markup of an element. The compiler calls it for JSX, as `jsxImportSource` in `tsconfig.json` says. */
export function jsx(element: ElementName | typeof Fragment, properties: Attributes): Html {
  if (typeof element === 'function') return element(properties);
  let opened = `<${element}`;
  for (const name in properties) {
    const value = properties[name as keyof Attributes];
    if (value === undefined || value === false || name === 'children') continue;
    opened += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  }
  if (voidElements.has(element)) return trusted(`${opened}>`);
  return trusted(`${opened}>${markupOf(properties.children)}</${element}>`);
}

/** The names that compilers use for several children and in development. */
export { jsx as jsxDEV, jsx as jsxs };

/** `<>…</>`: several nodes without a parent element. */
export function Fragment({ children }: { readonly children?: Markup }): Html {
  return trusted(markupOf(children));
}

/** The types that the compiler checks templates against. */
export declare namespace JSX {
  type Element = Html;
  type IntrinsicElements = Readonly<Record<ElementName, Attributes>>;
  interface ElementChildrenAttribute {
    children: Markup;
  }
}

/** Elements that have no content and no end tag. */
const voidElements: ReadonlySet<string> = new Set<ElementName>([
  ...(['br', 'col', 'hr', 'input', 'link', 'meta', 'wbr'] as const),
  // Of the feed.
  'category',
]);
