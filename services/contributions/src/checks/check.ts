import type { Finding } from '../domain/finding.js';
import type { LikeText } from '../similarity/like-text.js';
import type { ReadText } from './read-text.js';

/** What a check found: how much it adds to the risk, and why. */
export type Found = Omit<Finding, 'check'>;

/** A check of a text alone. Undefined if it finds nothing. */
export type TextCheck = (text: ReadText) => Found | undefined;

/** What of a contribution is published already. */
export interface Compared {
  /** The published text with most of it. Undefined for none, `unknown` if content did not answer. */
  readonly published?: LikeText | 'unknown' | undefined;
  /** The author of an article or an object of the editors whose name looks like its own. */
  readonly author?: string | undefined;
}

/** What the service knows about the human, the agent and other texts at the time of a submission. */
export interface Background {
  /** How many contributions of the human were rejected. */
  rejected: number;
  /** How many contributions the human sent before. */
  earlier: number;
  /** How many contributions came over the same authorization in the 24 hours before. */
  ofAgentToday: number;
  /** The most similar other contribution; undefined if none is similar. */
  nearest: { percent: number; sameHuman: boolean } | undefined;
  published: Compared['published'];
  /** The name of another author of published texts, if this one looks like it. */
  borrowed: string | undefined;
  /** The names of the rules that found a secret. */
  secrets: readonly string[];
  /** The language that the sender stated, and the one that the text is certainly in; empty for none. */
  languages: { stated: string; recognised: string };
  /** The waves to which the text belongs. */
  waves: readonly Wave[];
}

/** The recent texts that have one thing in common. */
export interface Wave {
  /** Its kind and the value, such as `link:example.org`, as `waves` of a stored contribution has it. */
  readonly key: string;
  readonly texts: number;
  /** How many humans sent them. */
  readonly humans: number;
}

/** A check of what is known beside the text. Undefined if it finds nothing. */
export type BackgroundCheck = (background: Background) => Found | undefined;

/** `1 link`, `2 links`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
