import type { TextKey } from '../index/search-text.js';
import type { NewText } from './new-text.js';

/** Brings the index from one position of the log to another. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly texts: readonly StepText[];
}

/** A text after a step; undefined words where it is not published. */
export interface StepText {
  readonly key: TextKey;
  readonly number: number;
  readonly after: NewText | undefined;
}
