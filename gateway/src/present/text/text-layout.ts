import { readingTokens } from '@knowledge/runtime';
import { type MarkdownToken, readMarkdown, wordsOf } from '@knowledge/runtime/markdown';

/** Where the blocks and sections of a Markdown text are. Positions count UTF-16 units, as those of strings. */
export interface TextLayout {
  readonly text: string;
  readonly tokens: number;
  /** The blocks of the top level. They follow each other without gaps and cover the whole text. */
  readonly blocks: readonly TextBlock[];
  readonly sections: readonly TextSection[];
}

/** A paragraph, a heading, a list, a table and so on, with the empty lines after it. */
export interface TextBlock {
  readonly kind: BlockKind;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  /** Where list items, rows and inner blocks begin: the best places to cut a block that is too large. */
  readonly joints: readonly number[];
}

export type BlockKind = 'heading' | 'paragraph' | 'code' | 'list' | 'table' | 'quote' | 'other';

/** A heading with everything up to the next heading of its level or a higher one. */
interface TextSection {
  /** The id of the heading on the page. */
  readonly anchor: string;
  /** Its id on pages of the past; undefined if another heading has that now. */
  readonly earlierAnchor: string | undefined;
  readonly title: string;
  /** The level of the heading on the page, from 2 to 6. */
  readonly level: number;
  readonly start: number;
  readonly end: number;
  /** The tokens of the section with the sections inside it. */
  readonly tokens: number;
}

/** Finds the blocks and sections of a Markdown text. A first heading that repeats the title begins no section. */
export function layoutOf(text: string, title?: string): TextLayout {
  const { tokens: parsed } = readMarkdown(text, title);
  const lines = lineStarts(text);
  const starts: Start[] = [];
  for (const [at, token] of parsed.entries()) {
    const { map, level } = token;
    if (map === null || token.nesting === -1 || token.type === 'inline') continue;
    const start = lines[map[0]] ?? text.length;
    if (level === 0) starts.push({ token, start, inner: [], title: wordsOf(parsed[at + 1]) });
    else if (!glued.has(token.type)) starts.at(-1)?.inner.push(start);
  }
  const blocks = starts.map(({ token, start, inner }, at): TextBlock => {
    const [from, end] = [at === 0 ? 0 : start, starts[at + 1]?.start ?? text.length];
    const joints = [...new Set(inner)].filter((joint) => joint > start && joint < end).sort((a, b) => a - b);
    return {
      kind: kinds[token.type] ?? 'other',
      start: from,
      end,
      tokens: readingTokens(text.slice(from, end)),
      joints,
    };
  });
  // A text of nothing but empty lines or link definitions has no block.
  const all = blocks.length === 0 && text !== '' ? [wholeBlock(text)] : blocks;
  return { text, tokens: readingTokens(text), blocks: all, sections: sectionsOf(starts, text) };
}

interface Start {
  readonly token: MarkdownToken;
  readonly start: number;
  /** Where blocks inside the block begin. */
  readonly inner: number[];
  readonly title: string;
}

const kinds: Readonly<Record<string, BlockKind>> = {
  heading_open: 'heading',
  anchor: 'heading',
  paragraph_open: 'paragraph',
  source: 'paragraph',
  fence: 'code',
  code_block: 'code',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  table_open: 'table',
  blockquote_open: 'quote',
};

// A cut before one of these would part a table from its head, or a cell from its row.
const glued = new Set(['thead_open', 'tbody_open', 'th_open', 'td_open']);

function wholeBlock(text: string): TextBlock {
  return { kind: 'other', start: 0, end: text.length, tokens: readingTokens(text), joints: [] };
}

function sectionsOf(starts: readonly Start[], text: string): TextSection[] {
  const headings = starts.filter(({ token }) => token.type === 'heading_open');
  return headings.map(({ token, start, title }, at) => {
    const level = Number(token.tag.slice(1));
    const next = headings.slice(at + 1).find((other) => Number(other.token.tag.slice(1)) <= level);
    const end = next?.start ?? text.length;
    const { id, earlier } = token.meta as { id: string; earlier: string | undefined };
    const tokens = readingTokens(text.slice(start, end));
    return { anchor: id, earlierAnchor: earlier, title, level, start, end, tokens };
  });
}

// The parser counts these line ends too.
function lineStarts(text: string) {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: lineEnd }) => index + lineEnd.length)];
}
