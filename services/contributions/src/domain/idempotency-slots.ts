import { createHash } from 'node:crypto';
import { rules } from '@knowledge/runtime/product';
import { stringify } from 'uuid';
import type { Submission } from './submission.js';

/** How long an idempotency key counts (gateway/PROTOCOL.md#replays). */
export const keyLivesMs = rules.idempotencyKeyHours * 3_600_000;
/** How long an equal payload without a key counts as a replay. */
export const payloadLivesMs = rules.equalPayloadMinutes * 60_000;
/**
 * How long a slot is stored at least: longer than a UTC day. The charge id is derived from the slot's previous
 * contribution. If the slot were deleted on the same day, the first charge id would repeat and be free.
 */
export const slotKeptMs = 72 * 3_600_000;

/** The ids of the slots that a submission takes. */
export interface IdempotencySlots {
  /** The slot that decides whether a submission is a replay: by key if there is one, else by payload. */
  deciding: string;
  /** The slot of the payload. A submission with a key takes it too, so that a retry without the key finds it. */
  payload: string;
}

/**
 * Derives the slots of a submission. They belong to one authorization, so that no agent sees another agent's
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
 * Derives the charge id from the slot and its previous contribution. Equal submissions that race, or a retry after a
 * crash, therefore charge once.
 */
export function chargeIdOf({ deciding }: IdempotencySlots, previous: string | undefined): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['charge', deciding, previous ?? '']))
    .digest();
  const id = Uint8Array.from(bytes.subarray(0, 16));
  // Version 8 of RFC 9562, a UUID with our own content.
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x80;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  return stringify(id);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
