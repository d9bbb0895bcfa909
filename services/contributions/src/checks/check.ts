import type { Contribution } from '../domain/contribution.js';
import type { Finding } from '../domain/finding.js';
import type { LikeText } from '../similarity/like-text.js';

/** The texts and the language of a contribution, as the checks read them. */
export type CheckedText = Pick<Contribution, 'title' | 'body' | 'name' | 'language' | 'purpose'>;

/** What a check found: how much it adds to the risk, and why. */
export type Found = Omit<Finding, 'check'>;

/** A text with its words as `readable` gives them. To read Markdown costs most of a check, so it is done once. */
export interface ReadText extends CheckedText {
  readonly readable: string;
}

/** A check of a text alone. Undefined if it finds nothing. */
export type TextCheck = (text: ReadText) => Found | undefined;

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
  /** The published text with most of this one. Undefined for none, `unknown` if content did not answer. */
  published: LikeText | 'unknown' | undefined;
  /** The names of the rules that found a secret. */
  secrets: readonly string[];
  /** The language that the sender stated, and the one that the text is certainly in; empty for none. */
  languages: { stated: string; recognised: string };
}

/** A check of what is known beside the text. Undefined if it finds nothing. */
export type BackgroundCheck = (background: Background) => Found | undefined;

/** `1 link`, `2 links`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
