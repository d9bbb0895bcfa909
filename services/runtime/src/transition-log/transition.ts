import type { Attribution, Transition } from '../transition.js';
import type { LogPosition } from '../watch/recent-entries.js';

/** A transition that is stored in the log, with its position. */
export interface TransitionEntry<Subject extends string = string> extends Transition, LogPosition {
  readonly subject: Subject;
  /** The id of the changed document. For a person it is a hash of the e-mail. */
  readonly id: string;
  /** A hash of the owner's e-mail. It is removed when the person is erased. */
  readonly person?: string;
  /** Marks an audit record: somebody looked at data and changed nothing. */
  readonly audit?: true;
  /** The current name of the changed document. The log itself stores no names. */
  readonly name?: string;
}

type ErasureStep = 'requested' | 'confirmed' | 'cancelled';

/** Records what changes no document with a history: a look at personal data, a block, a rule. */
export interface AuditRecord<Subject extends string = string> extends Attribution {
  readonly subject: Subject;
  readonly id: string;
  readonly person?: string;
  readonly to:
    | 'viewed'
    | 'listed'
    | 'exported'
    | 'blocked'
    | 'unblocked'
    | 'link sent'
    | 'mail sent again'
    | 'rejected together'
    | 'undone together'
    | 'erased'
    | 'allowed'
    | 'limited'
    | 'refused'
    | 'cleared'
    | `erasure ${ErasureStep}`;
}
