import type { Token } from 'markdown-it';
import { hiddenFault, withoutHiddenCharacters } from '../text/hidden-characters.js';
import { lineWith } from './links.js';
import type { FoundLink } from './parser.js';
import { type MarkdownToken, type ReadMarkdown, readMarkdown } from './read-markdown.js';

/** A heading, paragraph, list item, cell or code block of a Markdown text, as plain text. */
export interface TextBlock {
  readonly isHeading: boolean;
  readonly text: string;
  /** The line of its beginning, from 0; of a cell that of its row. */
  readonly line: number;
}

/** Converts Markdown to plain text, without marks and targets of links. Line breaks separate blocks. */
export function plainText(markdown: string, title?: string, read = readMarkdown(markdown, title)): string {
  return textBlocks(markdown, title, read)
    .map(({ text }) => text)
    .join('\n');
}

/** Splits Markdown into its blocks, as `plainText` writes them. */
export function textBlocks(markdown: string, title?: string, { tokens } = readMarkdown(markdown, title)): TextBlock[] {
  const blocks: TextBlock[] = [];
  let isHeading = false;
  let line = 0;
  for (const token of tokens) {
    line = token.map?.[0] ?? line;
    if (token.type === 'heading_open') isHeading = true;
    if (token.type === 'heading_close') isHeading = false;
    const text = tidy(textOf(token));
    if (text !== '') blocks.push({ isHeading, text, line });
  }
  return blocks;
}

/** The words that are neither code nor a link. */
export function looseWords({ tokens }: Pick<ReadMarkdown, 'tokens'>): string {
  let words = '';
  let isInLink = false;
  for (const { type, content, children } of tokens) {
    words += type === 'source' ? `${content}\n` : '\n';
    for (const child of children ?? []) {
      if (child.type === 'link_open' || child.type === 'link_close') isInLink = child.type === 'link_open';
      else if (child.type.endsWith('break')) words += '\n';
      else if (!isInLink && child.type !== 'code_inline') words += child.content;
    }
  }
  return words;
}

function textOf({ type, content, info, attrs, children }: Token) {
  if (type === 'list_item_open') return attrs === null ? '' : `${info}.`;
  if (type === 'fence') return `${info}\n${content}`;
  if (/^(?:code_block|source|footnote_open)$/.test(type)) return content;
  let text = '';
  for (const { type: kind, content: words } of children ?? []) text += kind.endsWith('break') ? '\n' : words;
  return text;
}

function tidy(text: string) {
  // Most blocks are one line without anything to tidy up.
  if (!untidy.test(text)) return text;
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

const untidy = /[^\S ]| {2}|^ | $/;

/**
 * Says why a Markdown text is refused where it comes in, as the rest of a message. Undefined if it is accepted.
 * Links of a stranger must lead somewhere; an editor only gets a note on them.
 */
export function markdownFault(
  text: string,
  writer: 'editor' | 'stranger' = 'editor',
  { tokens, links, fault } = readMarkdown(text),
): string | undefined {
  if (fault !== undefined) return fault.words;
  // Two in a row are meant as breaks, and so are several in a text of one line. A path such as C:\new is not.
  const escaped = text.trim().includes('\n') ? /(?:\\r)?\\n(?:\\r)?\\n/ : /\\n(?![a-z])(?:.*\\n(?![a-z]))/;
  const line = lineWith(escaped, tokens);
  if (line !== undefined) return `has \\n as two characters in line ${line}: send real line breaks`;
  const dead = writer === 'stranger' ? links.find(({ leads }) => leads === 'nowhere') : undefined;
  if (dead === undefined) return undefined;
  return `links to ${dead.target.slice(0, 80) || 'nothing'} in line ${dead.line}, which leads nowhere: use a whole URL, beginning with https://`;
}

/** Removes hidden characters from a text of an editor. Code shows entities as they are, so it keeps those of the text. */
export function withoutHidden(text: string): string {
  const hasHiddenCode = ({ type, content, children }: MarkdownToken) =>
    children?.some(hasHiddenCode) ?? (/^code|^fence/.test(type) && hiddenFault(content) !== undefined);
  const isCode = text.includes('&') && readMarkdown(text).tokens.some(hasHiddenCode);
  return withoutHiddenCharacters(text, isCode ? 'kept' : undefined);
}

/** Names the links that lead nowhere, for the editor of their text, which begins `before` lines down its file. */
export function deadLinkNote(links: readonly FoundLink[], before: number): string | undefined {
  const dead = links.filter(({ leads }) => leads === 'nowhere');
  const found = dead.map(({ target, line }) => `${target.slice(0, 80) || 'nothing'} (line ${line + before})`);
  if (found.length === 0) return undefined;
  const more = found.length > shown ? ` and ${found.length - shown} more` : '';
  return `Links that lead nowhere, so that pages show their targets as words: ${found.slice(0, shown).join(', ')}${more}`;
}

const shown = 5;
