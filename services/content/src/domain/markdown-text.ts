import MarkdownIt, { type Token } from 'markdown-it';

const parser = new MarkdownIt({ html: true });
// Accepts every link, so that the parser also removes the targets of links that a page would refuse.
parser.validateLink = () => true;

/** Converts Markdown to plain text, without marks, link targets and tags. Line breaks separate blocks. */
export function plainText(markdown: string): string {
  const parts: string[] = [];
  for (const token of parser.parse(markdown, {})) collect(token, parts);
  return tidy(parts.join(''));
}

/** A heading, paragraph, list item, cell or code block of a Markdown text, as plain text. */
export interface TextBlock {
  readonly isHeading: boolean;
  readonly text: string;
}

/** Splits Markdown into its blocks, as `plainText` writes them. */
export function textBlocks(markdown: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let isHeading = false;
  for (const token of parser.parse(markdown, {})) {
    if (token.type === 'heading_open') isHeading = true;
    if (token.type === 'heading_close') isHeading = false;
    const parts: string[] = [];
    collect(token, parts);
    const text = parts.length === 0 ? '' : tidy(parts.join(''));
    if (text !== '') blocks.push({ isHeading, text });
  }
  return blocks;
}

export function countWords(text: string): number {
  return wordsOf(text).length;
}

/** Lists the words of a text. A word has letters and digits; an apostrophe, hyphen or point may only be inside. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}\p{M}]+)*/gu) ?? [];
}

/**
 * Returns the beginning of a text on one line. It has only whole words, and at most `max` code points with the
 * ellipsis.
 */
export function excerpt(text: string, max = 240): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = [...line];
  if (points.length <= max) return line;
  const cut = points.slice(0, max - 1).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > cut.length / 2 ? cut.slice(0, space) : cut).replace(/[\s\p{P}]+$/u, '')}…`;
}

function tidy(text: string): string {
  const ended = text.endsWith('\n') ? text.slice(0, -1) : text;
  // Most blocks are one line without anything to tidy up.
  if (!untidy.test(ended)) return ended;
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

const untidy = /[^\S ]| {2}|^ | $/;

function collect(token: Token, parts: string[]): void {
  switch (token.type) {
    case 'inline':
      for (const child of token.children ?? []) collect(child, parts);
      parts.push('\n');
      return;
    case 'text':
    case 'text_special':
    case 'code_inline':
      parts.push(token.content);
      return;
    case 'image':
      for (const child of token.children ?? []) collect(child, parts);
      return;
    case 'code_block':
    case 'fence':
      parts.push(token.content, '\n');
      return;
    case 'html_block':
      parts.push(token.content.replace(/<[^<>]*>/g, ' '), '\n');
      return;
    case 'softbreak':
    case 'hardbreak':
      parts.push('\n');
      return;
    default:
      return;
  }
}
