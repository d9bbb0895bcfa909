import { LRUCache } from 'lru-cache';
import sanitizeHtml from 'sanitize-html';
import { createCommunityParser, wordsOf } from './community-parser.js';
import { type Html, inOnePiece, trusted } from './html.js';
import { withScrollingTables } from './scrolling-tables.js';

/** Converts Markdown to HTML. */
export type RenderMarkdown = (text: string) => RenderedText;

/** The markup of a text, with its top-level headings for a table of contents. */
export interface RenderedText extends Html {
  readonly headings: readonly TextHeading[];
}

/** A heading with the id that links to it use. */
export interface TextHeading {
  readonly id: string;
  readonly title: string;
}

/**
 * Renders texts of the community, without their HTML, images and scripts, and with headings below the page's own.
 * Rendering takes milliseconds, so recent texts are cached, up to `maxBytes` in all.
 */
export function createCommunityMarkdown(maxBytes: number): RenderMarkdown {
  const cache = new LRUCache<string, RenderedText>({
    maxSize: maxBytes,
    // A character may need two bytes.
    sizeCalculation: ({ markup }, text) => 2 * (markup.length + text.length) + 1,
  });
  return (text) => {
    const known = cache.get(text) ?? renderText(text);
    cache.set(text, known);
    return known;
  };
}

function renderText(text: string): RenderedText {
  const tokens = community.parse(text, {});
  const headings = tokens.flatMap(({ type, tag, attrs }, at) =>
    type === 'heading_open' && tag === 'h2'
      ? [{ id: String(attrs?.[0]?.[1] ?? ''), title: wordsOf(tokens[at + 1]) }]
      : [],
  );
  const html = sanitizeHtml(community.renderer.render(tokens, community.options, {}), sanitizing);
  return { ...inOnePiece(trusted(html)), headings };
}

/** Lowers the headings of a text that stands in a list, and removes their ids, which may be there twice. */
export function lowerHeadings({ markup }: RenderedText, levels: number): Html {
  const level = (heading: string): number => Math.min(6, Number(heading) + levels);
  // Every `<h` is a real tag, since the sanitizer has escaped all others.
  const opened = markup.replace(/<h([2-6])(?: id="[^"]*")?/g, (_, heading: string) => `<h${level(heading)}`);
  return trusted(opened.replace(/<\/h([2-6])>/g, (_, heading: string) => `</h${level(heading)}>`));
}

const community = withScrollingTables(createCommunityParser());
// Gives each block its own direction: an Arabic paragraph among English ones begins on the right.
community.core.ruler.push('directions', ({ tokens }) => {
  for (const token of tokens) if (directed.has(token.type)) token.attrSet('dir', 'auto');
});
community.core.ruler.push('task_lists', ({ tokens }) => {
  for (const [at, token] of tokens.entries()) {
    const [first] = token.children ?? [];
    if (first?.type !== 'text' || tokens[at - 2]?.type !== 'list_item_open') continue;
    first.content = first.content.replace(/^\[ \] /, '☐ ').replace(/^\[[xX]\] /, '☑ ');
  }
});
// Pages load nothing from other hosts, so an image becomes a link.
community.renderer.rules['image'] = (tokens, at) => {
  const image = tokens[at] as (typeof tokens)[number];
  return (<a href={image.attrGet('src') ?? ''}>{image.content || 'image'} (image)</a>).markup;
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
    th: ['class', 'dir'],
    td: ['class', 'dir'],
    code: [],
    ...Object.fromEntries(['h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, ['id', 'dir']])),
    ...Object.fromEntries(['p', 'li', 'blockquote'].map((tag) => [tag, ['dir']])),
  },
  allowedClasses: { div: ['scroll'], th: ['center', 'right'], td: ['center', 'right'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'nofollow ugc noopener noreferrer' } }),
    pre: (tagName, attribs) => ({ tagName, attribs: { ...attribs, tabindex: '0' } }),
  },
};

const directed = new Set(['paragraph_open', 'heading_open', 'list_item_open', 'blockquote_open', 'th_open', 'td_open']);
