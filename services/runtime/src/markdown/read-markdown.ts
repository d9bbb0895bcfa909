import type { Token } from 'markdown-it';
import { settleHeadings } from './headings.js';
import { findImages, settleLinks, showUnusedReferences } from './links.js';
import { settleMarks, showLostWords } from './lost-words.js';
import { boundOutput } from './output.js';
import { createParser } from './parser.js';
import { type FoundLink, type MarkdownFault, Meter, type Reading, sourceTokens, TooMuchWork } from './reading.js';

export type { Token as MarkdownToken } from 'markdown-it';

/** A Markdown text as tokens, from which every rendition of it is made. */
export interface ReadMarkdown {
  readonly tokens: readonly Token[];
  readonly links: readonly FoundLink[];
  /** The line of the first image, also of one in a form that only other programs read, counted from 1. */
  readonly image: number | undefined;
  /** Why the text is refused where it comes in. A part of a stored text with a fault is shown as it was written. */
  readonly fault: MarkdownFault | undefined;
}

/**
 * Reads a Markdown text. Its length bounds the work and the output, and no rendition lacks a word of it. A first heading
 * that repeats `title` becomes an anchor.
 */
export function readMarkdown(text: string, title = ''): ReadMarkdown {
  const meter = new Meter(text, stepsPerUnit);
  const reading: Reading = {
    meter,
    title,
    notes: new Map(),
    numbered: 0,
    links: [],
    labels: new Map(),
    image: undefined,
    fault: undefined,
  };
  try {
    const tokens = parser.parse(text, reading);
    const { links, image, fault } = reading;
    return { tokens, links, image, fault };
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    const line = error.line + 1;
    const words = `costs too much for its length at line ${line}: use fewer marks, links, empty cells or levels there`;
    return { tokens: sourceTokens(text.split(/\r\n?|\n/)), links: [], image: undefined, fault: { line, words } };
  }
}

/** A step takes up to 0.2 µs, so that reading takes at most some 4 ms a kilobyte. Usual texts need one or two steps. */
const stepsPerUnit = 20;

const parser = createParser();
// References are kept until it is known which are used.
parser.core.ruler.at('strip_references', () => undefined);
parser.core.ruler.before('text_join', 'references', showUnusedReferences);
parser.core.ruler.before('text_join', 'lost_words', showLostWords);
parser.core.ruler.before('text_join', 'images', findImages);
parser.core.ruler.push('marks', settleMarks);
parser.core.ruler.push('headings', settleHeadings);
parser.core.ruler.push('links', settleLinks);
parser.core.ruler.push('output', boundOutput);
