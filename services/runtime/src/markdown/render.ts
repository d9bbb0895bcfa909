import { LRUCache } from 'lru-cache';
import type { Env, MarkdownIt, Token } from 'markdown-it';
import createMarkdown from 'markdown-it';
import { type Html, inOnePiece, trusted } from '../html/html.js';
import { escapeHtml } from '../text/escape-html.js';
import { wordsOf } from './links.js';
import { type Direction, directionOf, hasRightToLeft, setDirections } from './output.js';
import type { Footnote } from './parser.js';
import { readMarkdown } from './read-markdown.js';

/** Converts Markdown to HTML. */
export type RenderMarkdown = (text: string, place?: TextPlace) => RenderedText;

/** What stands around a text. */
interface TextPlace {
  /** The title above it. */
  readonly title?: string | undefined;
  /** Its language, a BCP 47 tag. */
  readonly language?: string | undefined;
  /** By how many levels its headings are lowered among other texts. No link then leads to a place in it. */
  readonly lowered?: number;
}

/** The markup of a text. */
export interface RenderedText extends Html {
  /** The direction of the whole text. Blocks with another one say so. */
  readonly direction: Direction;
  /** The headings of the highest level that has at least two. */
  readonly headings: readonly TextHeading[];
}

/** A heading with the id that links to it use. */
export interface TextHeading {
  readonly id: string;
  readonly title: string;
}

/**
 * Renders texts as pages show them: without HTML, images and scripts, and with headings below the page's own. Rendering
 * takes milliseconds, so recent texts are cached, up to `maxBytes` in all.
 */
export function createMarkdownRenderer(maxBytes: number): RenderMarkdown {
  const cache = new LRUCache<string, RenderedText>({
    maxSize: maxBytes,
    // A character may need two bytes.
    sizeCalculation: ({ markup }, key) => 2 * (markup.length + key.length) + 1,
  });
  return (text, { title = '', language = '', lowered = 0 } = {}) => {
    const key = `${lowered} ${language} ${JSON.stringify(title)} ${text}`;
    const known = cache.get(key) ?? renderText(text, title, language, lowered);
    cache.set(key, known);
    return known;
  };
}

function renderText(text: string, title: string, language: string, lowered: number): RenderedText {
  const tokens = [...readMarkdown(text, title).tokens];
  const direction = directionOf(language, text);
  if (hasRightToLeft(text)) setDirections(tokens, direction);
  const markup = renderer.render(tokens, options, { lowered } satisfies Place);
  return { ...inOnePiece(trusted(markup)), direction, headings: contentsOf(tokens) };
}

function contentsOf(tokens: readonly Token[]): TextHeading[] {
  const headings = tokens.flatMap(({ type, tag, meta }, at) =>
    type === 'heading_open' ? [{ tag, id: String(meta?.['id']), title: wordsOf(tokens[at + 1]) }] : [],
  );
  const levels = ['h2', 'h3', 'h4', 'h5', 'h6'].map((level) => headings.filter(({ tag }) => tag === level));
  return (levels.find(({ length }) => length > 1) ?? []).map(({ id, title }) => ({ id, title }));
}

interface Place extends Env {
  readonly lowered: number;
}

type Rule = (token: Token, place: Place) => string;

const { renderer, options } = withScrollingTables(createMarkdown());

// Texts have no HTML, so every tag comes from here or from the parser's own rules.
const rules: Readonly<Record<string, Rule>> = {
  source: ({ content }) => `<p class="asis">${escapeHtml(content)}</p>\n`,
  anchor: ({ meta }, place) =>
    [meta?.['id'], meta?.['earlier']].map((id) => `<span${idOf(id, place)}></span>`).join(''),
  heading_open: ({ tag, meta, attrs }, place) => {
    const earlier = idOf(meta?.['earlier'], place);
    const opened = `<${loweredTag(tag, place)}${idOf(meta?.['id'], place)}${directionOfBlock(attrs)}>`;
    return earlier === '' ? opened : `${opened}<span${earlier}></span>`;
  },
  heading_close: ({ tag }, place) => `</${loweredTag(tag, place)}>\n`,
  link_open: (token, place) => openLink(token, place),
  link_close: (token, place) => closeLink(token, place),
  image: (token, place) => `${openLink(token, place)}${escapeHtml(token.content)}${closeLink(token, place)}`,
  fence: ({ content, info }) =>
    `${info.trim() && `<p class="soft">${escapeHtml(info.trim())}</p>\n`}${codeBlock(content)}`,
  code_block: ({ content }) => codeBlock(content),
  footnote_open: ({ meta, attrs, content }, { lowered }) => {
    const { number } = (meta as { note: Footnote }).note;
    const isLinked = number > 0 && lowered === 0;
    const label = escapeHtml(content) || number || '*';
    const [id, name] = isLinked ? [` id="fn:${number}"`, `<a href="#fnref:${number}">${label}</a>`] : ['', label];
    return `<div class="footnote"${id}${directionOfBlock(attrs)}><sup>${name}</sup><div>\n`;
  },
  footnote_close: () => '</div></div>\n',
  footnote_mark: ({ meta, info, content }, { lowered }) => {
    const { number } = (meta as { note: Footnote }).note;
    const label = escapeHtml(content) || number;
    if (lowered > 0 || info === 'in link') return `<sup>${label}</sup>`;
    return `<sup><a href="#fn:${number}"${meta?.['isFirst'] ? ` id="fnref:${number}"` : ''}>${label}</a></sup>`;
  },
};

for (const [type, rule] of Object.entries(rules)) {
  renderer.rules[type] = (tokens, at, _, place) => rule(tokens[at] as Token, place as Place);
}
renderer.rules['reference_definition'] = () => '';

function idOf(id: unknown, { lowered }: Place) {
  return typeof id === 'string' && lowered === 0 ? ` id="${escapeHtml(id)}"` : '';
}

function loweredTag(tag: string, { lowered }: Place) {
  return `h${Math.min(6, Number(tag.slice(1)) + lowered)}`;
}

function directionOfBlock(attributes: Token['attrs']) {
  const direction = attributes?.find(([name]) => name === 'dir')?.[1];
  return direction === undefined ? '' : ` dir="${direction}"`;
}

function isLink({ meta }: Token, { lowered }: Place) {
  const leads = meta?.['leads'];
  return leads === 'out' || leads === 'ours' || (leads === 'here' && lowered === 0);
}

function openLink(token: Token, place: Place) {
  if (!isLink(token, place)) return '';
  const rel = token.meta?.['leads'] === 'out' ? ' rel="nofollow ugc noopener noreferrer"' : '';
  return `<a href="${escapeHtml(String(token.meta?.['href']))}"${rel}>`;
}

function closeLink(token: Token, place: Place): string {
  return isLink(token, place) ? '</a>' : '';
}

/** Code that scrolls, also by keyboard. Who hears its page hears its name. */
export function codeBlock(content: string, language?: string): string {
  const ofLanguage = language === undefined ? '' : ` class="language-${escapeHtml(language)}"`;
  return `<pre tabindex="0" role="group" aria-label="Code"><code${ofLanguage}>${escapeHtml(content)}</code></pre>\n`;
}

/** Lets wide tables scroll, also by keyboard. Alignment is a class, since the policy forbids style attributes. */
export function withScrollingTables(markdown: MarkdownIt): MarkdownIt {
  const { rules } = markdown.renderer;
  rules['table_open'] = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  for (const cell of ['th', 'td']) {
    // An empty header cell names nothing, so it becomes a data cell.
    const nameOf = (content: string | undefined) => (cell === 'th' && content === '' ? 'td' : cell);
    rules[`${cell}_close`] = (tokens, at) => `</${nameOf(tokens[at - 1]?.content)}>\n`;
    rules[`${cell}_open`] = (tokens, at) => {
      const name = nameOf(tokens[at + 1]?.content);
      const alignment = /right|center/.exec(String(tokens[at]?.attrGet('style') ?? ''))?.[0];
      const dir = tokens[at]?.attrGet('dir');
      const direction = dir ? ` dir="${dir}"` : '';
      return alignment === undefined ? `<${name}${direction}>` : `<${name} class="${alignment}"${direction}>`;
    };
  }
  return markdown;
}
