import { createHash } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import { stringify } from 'uuid';
import type { Submission } from './submission.js';

/** The time for which an idempotency key is remembered (gateway/PROTOCOL.md#replays). */
export const keyLivesMs = rules.idempotencyKeyHours * 3_600_000;
/** The time in which an equal payload without a key is a replay. */
export const payloadLivesMs = rules.equalPayloadMinutes * 60_000;
/**
 * The time for which a slot is stored; it must be longer than a UTC day. A charge id is derived from the previous
 * contribution of the slot. If the slot were deleted on the same day, the first charge id would be used again, and the
 * charge would not be counted.
 */
export const slotKeptMs = 72 * 3_600_000;

/** The error if an idempotency key was used with another payload. */
export function keyConflict(forNew: 'contribution' | 'text'): KnowledgeError {
  const message = `This Idempotency-Key was used with another payload in the last ${rules.idempotencyKeyHours} hours; take a new key for a new ${forNew}.`;
  return new KnowledgeError('idempotency_conflict', message);
}

/** The ids of the slots that a submission uses. */
export interface IdempotencySlots {
  /** The slot that decides whether a submission is a replay. It belongs to the key, or without a key to the payload. */
  deciding: string;
  /** The slot of the payload. A submission with a key uses it too, so that a retry without the key finds it. */
  payload: string;
}

/**
 * Derives the slots of a submission. Each authorization has its own slots, so that no agent sees another agent's
 * contribution.
 */
export function idempotencySlots({ contributor, idempotencyKey, payloadHash }: Submission): IdempotencySlots {
  const payload = hash(['payload', contributor.authorizationId, payloadHash]);
  return {
    deciding: idempotencyKey === undefined ? payload : hash(['key', contributor.authorizationId, idempotencyKey]),
    payload,
  };
}

/**
 * Derives the charge id from the slot and its previous contribution. So equal parallel submissions, and a retry after a
 * crash, are charged only once.
 */
export function chargeIdOf({ deciding }: IdempotencySlots, previous: string | undefined): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['charge', deciding, previous ?? '']))
    .digest();
  const id = Uint8Array.from(bytes.subarray(0, 16));
  // Marks the id as version 8 of RFC 9562: a UUID with custom content.
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x80;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  return stringify(id);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
