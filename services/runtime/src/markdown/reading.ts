import type { Env } from 'markdown-it';
import type { Meter } from './meter.js';

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
