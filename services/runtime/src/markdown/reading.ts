import type { Env, Token } from 'markdown-it';
import createMarkdown from 'markdown-it';

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
