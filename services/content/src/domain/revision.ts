import { KnowledgeError } from '@knowledge/runtime';

/** Compares the revision that a caller expects with the stored one. */
export interface RevisionCheck {
  /** The stored revision; 0 if nothing is stored. */
  readonly stored: number;
  /** The revision that the caller has seen; 0 disables the check. */
  readonly expected: number;
  /** Whether the stored values are already equal to those of the request. */
  readonly same: boolean;
}

const aborted = 10;

/**
 * Allows a change if the stored revision is the one that the caller has seen. A caller that lost the response repeats
 * the call with the old revision. Then the stored revision is one higher, and the repeat succeeds if the values are
 * equal.
 *
 * @throws KnowledgeError `validation_error` for a negative revision; `invalid_state` with the gRPC status ABORTED for a
 * stale revision.
 */
export function checkRevision({ stored, expected, same }: RevisionCheck): void {
  if (expected < 0) throw new KnowledgeError('validation_error', 'expected_revision must be 0 or more.');
  if (expected === 0 || expected === stored || (same && expected === stored - 1)) return;
  const message =
    stored === 0
      ? `Revision ${expected} was expected, but there is none yet.`
      : `Revision ${expected} was expected, but it has revision ${stored}; read it again.`;
  throw staleRevision(message);
}

/** The error for a change that is based on an old revision: `invalid_state` with the gRPC status ABORTED. */
export function staleRevision(message: string): KnowledgeError {
  return new KnowledgeError('invalid_state', message, { grpcStatus: aborted });
}
