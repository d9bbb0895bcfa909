import { KnowledgeError } from '@knowledge/runtime';

/** What a caller expects of the thing that it changes. */
export interface RevisionCheck {
  /** The revision that is stored, 0 where there is none. */
  readonly stored: number;
  /** The revision that the caller has seen; 0 for do not check. */
  readonly expected: number;
  /** Whether the stored thing already is what the caller asks for. */
  readonly same: boolean;
}

const aborted = 10;

/**
 * Lets a change through if nobody changed the thing since the caller saw it. A call whose answer was lost is sent again with
 * the revision from before: if the stored thing is one revision on and already as asked, the change counts as made.
 *
 * @throws KnowledgeError `validation_error` for a negative one; `invalid_state` with the gRPC status ABORTED for a stale one.
 */
export function checkRevision({ stored, expected, same }: RevisionCheck): void {
  if (expected < 0) throw new KnowledgeError('validation_error', 'expected_revision must be 0 or more.');
  if (expected === 0 || expected === stored || (same && expected === stored - 1)) return;
  const message =
    stored === 0
      ? `Revision ${expected} was expected, but there is none yet.`
      : `Revision ${expected} was expected, but it has revision ${stored}; read it again.`;
  throw new KnowledgeError('invalid_state', message, { grpcStatus: aborted });
}
