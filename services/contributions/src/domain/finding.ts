import type { Contribution } from './contribution.js';

/** What a check of a text found, for moderators. */
export interface Finding {
  /** The name of the check, for example `links`. */
  check: string;
  /** How much it adds to the risk, from 1 to 100. */
  weight: number;
  /** What was found, in plain words; at most 200 characters. */
  text: string;
  /** The published text that it names. */
  about?: NonNullable<Contribution['about']>;
  /** The key of the wave that it counts, which all its texts have in `waves`. */
  wave?: string;
}
