import { escapeHtml, type Html, type Fragment as Markup, markupOf, trusted } from './html.js';
import type { Attributes, AttributeValue, ElementName } from './html-elements.js';

/** Makes the markup of an element. The compiler calls it for JSX, as `jsxImportSource` in `tsconfig.json` says. */
export function jsx(element: ElementName | typeof Fragment, { children, ...attributes }: Attributes): Html {
  const content = markupOf(children);
  if (typeof element === 'function') return trusted(content);
  let opened = `<${element}`;
  for (const [name, value] of Object.entries(attributes)) opened += attribute(name, value);
  return trusted(voidElements.has(element) ? `${opened}>` : `${opened}>${content}</${element}>`);
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
