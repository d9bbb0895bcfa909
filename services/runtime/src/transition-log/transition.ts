import type { Attribution, Transition } from '../transition.js';
import type { LogPosition } from '../watch/recent-entries.js';

/** A transition in the log. */
export interface TransitionEntry<Subject extends string = string> extends Transition, LogPosition {
  readonly subject: Subject;
  /** The id of the changed thing; for a person a hash of the e-mail. */
  readonly id: string;
  /** A hash of the owner's e-mail, until the person is erased. */
  readonly person?: string;
  /** Marks a record of who looked at what; nothing changed. */
  readonly audit?: true;
  /** The current name of the thing. The log itself stores no names. */
  readonly name?: string;
}

/** A use of personal data that changed no state. */
export interface AuditRecord<Subject extends string = string> extends Attribution {
  readonly subject: Subject;
  readonly id: string;
  readonly person?: string;
  readonly to: 'viewed' | 'listed' | 'exported' | 'erased' | 'blocked' | 'unblocked';
}
