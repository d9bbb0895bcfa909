import { escapeHtml, type Html, type Fragment as Markup, markupOf, trusted } from './html.js';
import type { Attributes, AttributeValue, ElementName } from './html-elements.js';

/** Makes the markup of an element. The compiler calls it for JSX, as `jsxImportSource` in `tsconfig.json` says. */
export function jsx(element: ElementName | typeof Fragment, properties: Attributes): Html {
  if (typeof element === 'function') return element(properties);
  let opened = `<${element}`;
  for (const name in properties) {
    if (name !== 'children') opened += attribute(name, properties[name as keyof Attributes] as AttributeValue);
  }
  if (voidElements.has(element)) return trusted(`${opened}>`);
  return trusted(`${opened}>${markupOf(properties.children)}</${element}>`);
}

/** The names under which compilers call it: for several children, and in tests. */
export { jsx as jsxDEV, jsx as jsxs };

/** `<>…</>`: several nodes without an element around them. */
export function Fragment({ children }: { readonly children?: Markup }): Html {
  return trusted(markupOf(children));
}

/** What the compiler checks templates against. */
export declare namespace JSX {
  type Element = Html;
  type IntrinsicElements = Readonly<Record<ElementName, Attributes>>;
  interface ElementChildrenAttribute {
    children: Markup;
  }
}

function attribute(name: string, value: AttributeValue): string {
  if (value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
}

/** The elements without content, of pages and of the feed. */
const voidElements: ReadonlySet<string> = new Set<ElementName>(['input', 'link', 'meta', 'wbr', 'category']);
