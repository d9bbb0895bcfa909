import type { Act, Transition } from '../transition.js';
import type { LogPosition } from '../watch/recent-entries.js';

/** A transition in the log. */
export interface TransitionEntry<Subject extends string = string> extends Transition, LogPosition {
  readonly subject: Subject;
  /** The id of what changed; of a person a hash of the e-mail. */
  readonly id: string;
  /** A hash of the owner's e-mail, until the person is erased. */
  readonly person?: string;
  /** Nothing changed: the entry records who looked at what. */
  readonly audit?: true;
  /** What the thing is called when the entry is read; the log stores no names. */
  readonly name?: string;
}

/** What somebody did with a person's data or mailbox without changing the state of anything. */
export interface Look<Subject extends string = string> extends Act {
  readonly subject: Subject;
  readonly id: string;
  readonly person?: string;
  readonly to: 'viewed' | 'listed' | 'exported' | 'erased' | 'blocked' | 'unblocked';
}
