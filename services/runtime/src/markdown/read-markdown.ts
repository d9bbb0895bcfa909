import type { StateCore, Token } from 'markdown-it';
import createMarkdown from 'markdown-it';
import { withoutHiddenCharacters } from '../text/hidden-characters.js';
import { findImages, settleHeadings, settleLinks, showUnusedReferences } from './links.js';
import { boundOutput } from './output.js';
import {
  createParser,
  type Footnote,
  type FoundLink,
  type MarkdownFault,
  Meter,
  type Reading,
  sourceTokens,
  TooMuchWork,
} from './parser.js';

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

/**
 * Shows a top-level block as it was written if its tokens have fewer letters, digits and other signs. A table, for example, loses
 * cells beyond its head. So no rendition hides what another one shows.
 */
function showLostWords(state: StateCore) {
  const reading = state.env as Reading;
  const lines = state.src.split('\n');
  const starts = state.tokens.flatMap(({ level, nesting, map }, at) =>
    level === 0 && nesting >= 0 && map !== null ? [{ at, line: map[0] }] : [],
  );
  state.tokens = starts.flatMap(({ at, line }, index) => {
    const next = starts[index + 1];
    const tokens = state.tokens.slice(at, next?.at);
    const own = lines.slice(line, next?.line);
    const shown = [...shownIn(tokens)].join(' ');
    if (lettersIn(own.join(' ')) <= lettersIn(shown)) return tokens;
    const known = new Set(wordsOf(shown));
    const lost = own.findIndex((text) => wordsOf(text).some((word) => !known.has(word)));
    const place = line + Math.max(0, lost) + 1;
    const words = `has words in line ${place} that no page shows, such as those of a cell beyond the head of its table`;
    reading.fault ??= { line: place, words };
    return sourceTokens(own, line);
  });
}

// Entities are read in code too, though pages show them as they are, so that both sides count the same.
function lettersIn(text: string) {
  const plain = unescapeAll(text);
  let letters = 0;
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code < 0x80 ? letter[code] === 1 : isBeyondSpaces(code) || !/\s/.test(plain.charAt(at))) letters += 1;
  }
  return letters;
}

// No space is there, and most signs of East Asia are. A regular expression would take three times as long for them.
const isBeyondSpaces = (code: number) => code > 0x3000 && code !== 0xfeff;

// Of the characters of ASCII.
const letter = Uint8Array.from({ length: 0x80 }, (_, code) => (/[a-z0-9]/i.test(String.fromCharCode(code)) ? 1 : 0));

function wordsOf(text: string): string[] {
  return unescapeAll(text).match(/(?:[\p{L}\p{N}]|[^\0-\x7f\s])+/gu) ?? [];
}

const { unescapeAll } = createMarkdown().utils;

// What pages show, and what stands for itself without being words: targets and labels.
function* shownIn(
  tokens: readonly Token[],
  inTable = tokens.some(({ type }) => type === 'table_open'),
): Generator<string> {
  let label: unknown;
  let words = '';
  let inUrl = false;
  for (const { type, content, info, markup, attrs, meta, children } of tokens) {
    if (type === 'link_open' || type === 'image') {
      // The rest of a reference stands in its definition.
      if (meta?.['label'] === undefined) for (const [, value] of attrs ?? []) yield String(value);
      else if (type === 'image') yield String(meta['label']);
      if (type === 'link_open') [label, words, inUrl] = [meta?.['label'], '', info === 'auto'];
    }
    if (children !== null) yield* shownIn(children, inTable);
    else if (!inUrl) {
      words += content;
      yield content;
    }
    if (type === 'link_close') {
      inUrl = false;
      // In a table, whose cells may be lost, the words of `[label]` count only once.
      if (typeof label === 'string' && !(inTable && label === words.toUpperCase())) yield label;
    } else if (type.startsWith('footnote_') && meta !== null && content === '')
      yield (meta as { note: Footnote }).note.label;
    else if (type === 'fence' || type === 'list_item_open') yield info;
    else if (type === 'hardbreak') yield markup;
  }
}

/**
 * Reads `> [!NOTE]` and its siblings, the numbers of lists, and the boxes of task lists. Takes away what entities hide.
 */
function settleMarks({ tokens }: StateCore) {
  numberItems(tokens);
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'inline' || token.children === null) continue;
    if (token.content.includes('&')) showEntities(token.children);
    const [first, second] = token.children;
    const container = tokens[at - 2];
    if (first?.type !== 'text' || tokens[at - 1]?.type !== 'paragraph_open') continue;
    if (container?.type === 'list_item_open') {
      first.content = first.content.replace(/^\[ \] /, '☐ ').replace(/^\[[xX]\] /, '☑ ');
    } else if (container?.type === 'blockquote_open' && (second === undefined || second.type === 'softbreak')) {
      const [, kind] = alert.exec(first.content) ?? [];
      if (kind === undefined) continue;
      container.attrSet('class', kind.toLowerCase());
      first.content = `${kind.charAt(0).toUpperCase()}${kind.slice(1).toLowerCase()}`;
      token.children.splice(0, 1, inlineToken('strong_open', 1), first, inlineToken('strong_close', -1));
      if (second !== undefined) second.type = 'hardbreak';
    }
  }
}

const alert = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$/i;

// Pages count from 1. Other numbers are shown, but those of `5. 5. 5.` mean counting on.
function numberItems(tokens: readonly Token[]) {
  const lists: { first?: number; next: number }[] = [];
  for (const token of tokens) {
    if (token.type === 'ordered_list_close') lists.pop();
    if (token.type === 'ordered_list_open') {
      token.attrs = null;
      lists.push({ next: 1 });
    }
    const list = lists.at(-1);
    if (token.type !== 'list_item_open' || token.info === '' || list === undefined) continue;
    const number = Number(token.info);
    if (number !== list.next && number !== list.first) {
      token.attrs = [['value', number]];
      list.next = number;
    }
    list.first ??= number;
    list.next += 1;
  }
}

function inlineToken(type: string, nesting: 1 | -1) {
  return new createMarkdown.Token(type, 'strong', nesting);
}

function showEntities(tokens: readonly Token[]) {
  for (const token of tokens) {
    if (token.type === 'text') token.content = withoutHiddenCharacters(token.content);
    for (const attribute of token.attrs ?? []) attribute[1] = withoutHiddenCharacters(String(attribute[1]));
    if (token.children !== null) showEntities(token.children);
  }
}
