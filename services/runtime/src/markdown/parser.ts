import type { Env, MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import createMarkdown from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';

/** Makes a parser of CommonMark with tables, footnotes and the other marks that are common on GitHub, but no HTML. */
export function createParser(): MarkdownIt {
  const parser = createMarkdown({ html: false, linkify: true, maxNesting }).use(cjkFriendly);
  // File names such as `notes.md` and mail addresses must not become links.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const schema of ['mailto:', 'ftp:', '//']) parser.linkify.add(schema, null);
  // Links keep their targets as they were written; `render` encodes them.
  parser.normalizeLink = (url) => url;
  parser.validateLink = (url) => usedSchemes.has(schemeOf(url) ?? 'https');
  parser.block.ruler.before('reference', 'footnote', footnote, { alt: ['paragraph', 'reference'] });
  parser.inline.ruler.before('link', 'footnote_mark', footnoteMark);
  parser.inline.ruler.before('autolink', 'break', lineBreak);
  meterWork(parser);
  return parser;
}

/** How deep lists and quotes nest: a list needs two levels. */
const maxNesting = 40;

const usedSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);

/** The scheme of a URL in lower case; undefined for a relative one. */
export function schemeOf(url: string): string | undefined {
  return /^\s*([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
}

// Each rule below a line, each token and each look ahead costs steps.
function meterWork(parser: MarkdownIt) {
  const meterOf = ({ env }: { env: Env }) => (env as Reading).meter;
  const visit = (state: StateBlock, line: number) => {
    meterOf(state).line = line;
    meterOf(state).spend(6);
    return false;
  };
  parser.block.ruler.before('table', 'meter', visit, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
  parser.block.State = class extends parser.block.State {
    override push(...token: Parameters<StateBlock['push']>) {
      meterOf(this).spend(5);
      // The parser drops what is deeper.
      if (this.level >= maxNesting - 1) meterOf(this).spend(Number.POSITIVE_INFINITY);
      return super.push(...token);
    }
  };
  const { inline, helpers } = parser;
  const skipToken = inline.skipToken.bind(inline);
  inline.skipToken = (state) => {
    meterOf(state).spend(1);
    skipToken(state);
  };
  const { parseLinkLabel } = helpers;
  // The parser copies each label to compare it.
  parser.helpers = {
    ...helpers,
    parseLinkLabel: (state, start, disableNested) => {
      const end = parseLinkLabel(state, start, disableNested);
      meterOf(state).spend((end - start) >> 6);
      return end;
    },
  };
  parser.core.ruler.at('inline', ({ tokens, md, env }) => {
    for (const { type, map, content, children } of tokens) {
      if (map !== null) (env as Reading).meter.line = map[0];
      if (type === 'inline') md.inline.parse(content, md, env, children ?? []);
    }
  });
}

/** Reads `[^label]: text`, with further blocks indented. A note stays where it stands, so that each part is whole. */
function footnote(state: StateBlock, line: number, endLine: number, silent: boolean) {
  const { bMarks, tShift, sCount, blkIndent } = state;
  const before = [bMarks[line] ?? 0, tShift[line] ?? 0, sCount[line] ?? 0] as const;
  const start = before[0] + before[1];
  if (before[2] - blkIndent >= 4 || !state.src.startsWith('[^', start)) return false;
  const { notes } = state.env as Reading;
  const [mark = '', label] = noteStart.exec(state.src.slice(start, state.eMarks[line])) ?? [];
  if (label === undefined || notes.has(label)) return false;
  if (silent) return true;
  const note: Footnote = { label, number: 0 };
  notes.set(label, note);
  const open = state.push('footnote_open', 'div', 1);
  open.meta = { note };
  open.content = shownLabel(note);
  state.blkIndent = blkIndent + 4;
  [bMarks[line], tShift[line], sCount[line]] = [start + mark.length, 0, state.blkIndent];
  state.md.block.tokenize(state, line, endLine);
  [bMarks[line], tShift[line], sCount[line]] = before;
  state.blkIndent = blkIndent;
  open.map = [line, state.line];
  state.push('footnote_close', 'div', -1);
  return true;
}

const noteStart = /^\[\^([^\]\s]{1,40})\]:[ \t]*(?=\S)/;

// Its number stands for a label without words. Brackets keep it apart from the word before it.
function shownLabel({ label }: Footnote) {
  return /\p{L}/u.test(label) ? `[${label}]` : '';
}

function footnoteMark(state: StateInline, silent: boolean) {
  const { src, pos, posMax } = state;
  if (!src.startsWith('[^', pos)) return false;
  const reading = state.env as Reading;
  const [mark = '', label = ''] = /^\[\^([^\]\s]{1,40})\]/.exec(src.slice(pos, Math.min(pos + 44, posMax))) ?? [];
  const note = reading.notes.get(label);
  if (note === undefined) return false;
  if (!silent) {
    const isFirst = note.number === 0;
    if (isFirst) note.number = ++reading.numbered;
    const token = state.push('footnote_mark', 'sup', 0);
    token.meta = { note, isFirst };
    token.content = shownLabel(note);
  }
  state.pos += mark.length;
  return true;
}

// The only tag that is read, since a cell has no other way to two lines.
function lineBreak(state: StateInline, silent: boolean) {
  const [tag] = /^<br ?\/?>/i.exec(state.src.slice(state.pos, Math.min(state.pos + 6, state.posMax))) ?? [];
  if (tag === undefined) return false;
  if (!silent) state.push('hardbreak', 'br', 0).markup = tag;
  state.pos += tag.length;
  return true;
}

/** What the rules know about the text that is read. */
export interface Reading extends Env {
  readonly meter: Meter;
  /** The title that stands above the text. */
  readonly title: string;
  /** The footnotes by their labels. */
  readonly notes: Map<string, Footnote>;
  /** How many footnotes have a number. */
  numbered: number;
  readonly links: FoundLink[];
  /** The labels of references as they were written, by those that the parser compares. */
  readonly labels: Map<unknown, string>;
  /** The line of the first image. */
  image: number | undefined;
  /** The first fault that was found. */
  fault: MarkdownFault | undefined;
}

/** Why a text is refused where it comes in. */
export interface MarkdownFault {
  /** The line, counted from 1. */
  readonly line: number;
  /** What is wrong, as the rest of a message that begins with the name of a field. */
  readonly words: string;
}

/** A footnote; its number is 0 until a mark refers to it. */
export interface Footnote {
  readonly label: string;
  number: number;
}

/** A link or an image of a text. */
export interface FoundLink {
  readonly target: string;
  /** Where it leads: to another site, to a place in the text, to a public page of ours, or nowhere. */
  readonly leads: 'out' | 'here' | 'ours' | 'nowhere';
  /** Where it leads, if its words are the address of another host. */
  readonly hidden: string | undefined;
  /** The line in which its block begins, counted from 1. */
  readonly line: number;
}

/** Counts what a text costs. A text that costs too much for its length is not read further. */
export class Meter {
  /** The line that is read now, counted from 0. */
  line = 0;
  #left: number;

  constructor(text: string, perUnit: number) {
    this.#left = 500 + perUnit * text.length;
  }

  /** @throws TooMuchWork */
  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new TooMuchWork(this.line);
  }
}

/** The end of reading a text whose work or output is out of proportion to its length. */
export class TooMuchWork extends Error {
  constructor(readonly line: number) {
    super(`A text costs too much for its length from line ${line + 1} on.`);
  }
}

/** Makes tokens that show lines as they were written, one for each paragraph. */
export function sourceTokens(lines: readonly string[], firstLine = 0): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const start = at;
    while (at < lines.length && lines[at]?.trim() !== '') at += 1;
    if (at === start) continue;
    const token = new createMarkdown.Token('source', 'p', 0);
    token.block = true;
    token.map = [firstLine + start, firstLine + at];
    token.content = lines.slice(start, at).join('\n');
    tokens.push(token);
  }
  return tokens;
}
