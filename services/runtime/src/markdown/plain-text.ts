import type { Token } from 'markdown-it';
import { type ReadMarkdown, readMarkdown } from './read-markdown.js';

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

function textOf({ type, content, info, attrs, children }: Token): string {
  if (type === 'list_item_open') return attrs === null ? '' : `${info}.`;
  if (type === 'fence') return `${info}\n${content}`;
  if (/^(?:code_block|source|footnote_open)$/.test(type)) return content;
  let text = '';
  for (const { type: kind, content: words } of children ?? []) text += kind.endsWith('break') ? '\n' : words;
  return text;
}

function tidy(text: string): string {
  // Most blocks are one line without anything to tidy up.
  if (!untidy.test(text)) return text;
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

const untidy = /[^\S ]| {2}|^ | $/;
