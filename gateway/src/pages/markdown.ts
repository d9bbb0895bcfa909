import { LRUCache } from 'lru-cache';
import createMarkdown, { type MarkdownIt } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { type Html, html, trusted } from './html.js';

/** Turns Markdown into markup. */
export type RenderMarkdown = (text: string) => Html;

/**
 * Renders what the community wrote: no HTML, images or scripts of theirs, headings below the page's own. Rendering takes
 * some milliseconds, so that the last texts are kept, up to `maxBytes` in all.
 */
export function createCommunityMarkdown(maxBytes: number): RenderMarkdown {
  const kept = new LRUCache<string, Html>({
    maxSize: maxBytes,
    // A character may take two bytes.
    sizeCalculation: ({ markup }, text) => 2 * (markup.length + text.length) + 1,
  });
  return (text) => {
    const known = kept.get(text) ?? trusted(sanitizeHtml(community.render(text), sanitizing));
    kept.set(text, known);
    return known;
  };
}

/** A part of a document of our own. */
export interface DocumentSection {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  /** The headings one level below. */
  readonly parts: readonly { readonly id: string; readonly title: string }[];
}

/** Markdown of our own, cut at its second-level headings; the text before the first is `lead`. */
export function documentMarkdown(text: string): { title: string; lead: Html; sections: readonly DocumentSection[] } {
  const tokens = own.parse(text, {});
  const starts = tokens.flatMap(({ type, tag }, at) => (type === 'heading_open' && tag === 'h2' ? [at] : []));
  const render = (from: number, to: number): Html =>
    trusted(own.renderer.render(tokens.slice(from, to), own.options, {}));
  const sections = starts.map((start, at) => {
    const end = starts[at + 1] ?? tokens.length;
    const title = tokens[start + 1]?.content ?? '';
    const parts = tokens.slice(start, end).flatMap(({ type, tag }, offset) => {
      const content = tokens[start + offset + 1]?.content ?? '';
      return type === 'heading_open' && tag === 'h3' ? [{ id: idOf(content), title: content }] : [];
    });
    return { id: idOf(title), title, body: render(start + 3, end), parts };
  });
  return { title: tokens[1]?.content ?? '', lead: render(3, starts[0] ?? tokens.length), sections };
}

const own = tables(createMarkdown({ html: false }));
own.renderer.rules['heading_open'] = (tokens, at) => {
  const { tag } = tokens[at] as (typeof tokens)[number];
  return html`<${trusted(tag)} id="${idOf(tokens[at + 1]?.content ?? '')}">`.markup;
};
own.renderer.rules['fence'] = (tokens, at) => {
  const { info, content } = tokens[at] as (typeof tokens)[number];
  return html`<pre tabindex="0"><code class="language-${info}">${content}</code></pre>`.markup;
};

const community = tables(createMarkdown({ html: false, linkify: true }));
// `notes.md` is a file, and an address is nobody's to publish.
community.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
community.linkify.add('mailto:', null);
community.core.ruler.push('lower_headings', ({ tokens }) => {
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const highest = Math.min(...headings.map(({ tag }) => Number(tag.slice(1))));
  // No level is left out on the way down, so that the outline of the page holds.
  let level = 1;
  for (const heading of headings) {
    if (heading.nesting === 1) level = Math.min(6, level + 1, Number(heading.tag.slice(1)) - highest + 2);
    heading.tag = `h${level}`;
  }
});
community.core.ruler.push('task_lists', ({ tokens }) => {
  for (const [at, token] of tokens.entries()) {
    const [first] = token.children ?? [];
    if (first?.type !== 'text' || tokens[at - 2]?.type !== 'list_item_open') continue;
    first.content = first.content.replace(/^\[ \] /, '☐ ').replace(/^\[[xX]\] /, '☑ ');
  }
});
// A page loads nothing from elsewhere, so an image is a link to it.
community.renderer.rules['image'] = (tokens, at) => {
  const image = tokens[at] as (typeof tokens)[number];
  return html`<a href="${image.attrGet('src') ?? ''}">${image.content || 'image'}</a>`.markup;
};

const sanitizing: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'code', 'hr', 'br', 'ul', 'ol', 'li'],
    ...['em', 'strong', 's', 'a', 'div', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'title'],
    ol: ['start'],
    pre: ['tabindex'],
    div: ['class', 'tabindex'],
    th: ['class'],
    td: ['class'],
    code: [],
  },
  allowedClasses: { div: ['scroll'], th: ['center', 'right'], td: ['center', 'right'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow ugc noopener noreferrer' } }),
    pre: (tagName, attribs) => ({ tagName, attribs: { ...attribs, tabindex: '0' } }),
  },
};

// Wide tables scroll by themselves, also by keyboard; alignment is a class, since the page allows no style attributes.
function tables(markdown: MarkdownIt): MarkdownIt {
  const { rules } = markdown.renderer;
  rules['table_open'] = () => '<div class="scroll" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const cell of ['th', 'td']) {
    rules[`${cell}_open`] = (tokens, at) => {
      const alignment = /right|center/.exec(String(tokens[at]?.attrGet('style') ?? ''))?.[0];
      return alignment === undefined ? `<${cell}>` : `<${cell} class="${alignment}">`;
    };
  }
  return markdown;
}

function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
