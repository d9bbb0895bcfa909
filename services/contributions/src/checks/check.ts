import type { Contribution } from '../domain/contribution.js';

/** The texts and the language of a contribution, as the checks read them. */
export type CheckedText = Pick<Contribution, 'title' | 'body' | 'name' | 'language' | 'purpose'>;

/** What a check found: how much it adds to the risk, and why. */
export interface Found {
  weight: number;
  text: string;
}

/** A check of a text alone. Undefined if it finds nothing. */
export type TextCheck = (text: CheckedText) => Found | undefined;

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
}

/** A check of what is known beside the text. Undefined if it finds nothing. */
export type BackgroundCheck = (background: Background) => Found | undefined;

/** `1 link`, `2 links`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
