import { createHash } from 'node:crypto';
import { rules } from '@knowledge/runtime/product';
import { stringify } from 'uuid';
import type { Submission } from './submission.js';

/** How long a key is remembered (gateway/PROTOCOL.md#replays). */
export const keyLivesMs = rules.idempotencyKeyHours * 3_600_000;
/** How long an equal payload without a key counts as the same. */
export const payloadLivesMs = rules.equalPayloadMinutes * 60_000;
/**
 * How long a slot is kept at the least. Longer than a UTC day, since the id under which a contribution is charged is derived
 * from the one before it in the slot: forgotten earlier, the day's first charge would come again and be free.
 */
export const slotKeptMs = 72 * 3_600_000;

/** The places that equal submissions meet in. */
export interface Slots {
  /** The place that decides whether a submission is a replay: the key's if there is one, else the payload's. */
  deciding: string;
  /** The payload's place, which a submission with a key takes too, so that a retry without it finds it. */
  payload: string;
}

/** The slots of a submission: those of one authorization, so that nobody is answered with what another agent sent. */
export function slotsOf({ contributor, idempotencyKey, payloadHash }: Submission): Slots {
  const payload = hash(['payload', contributor.authorizationId, payloadHash]);
  return {
    deciding: idempotencyKey === undefined ? payload : hash(['key', contributor.authorizationId, idempotencyKey]),
    payload,
  };
}

/**
 * The id under which a contribution is charged. Equal submissions that race see the same contribution before them in their
 * slot, or none, and so charge the same id: once. So does the retry after a crash between charge and store.
 */
export function chargeIdOf({ deciding }: Slots, previous: string | undefined): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(['charge', deciding, previous ?? '']))
    .digest();
  const id = Uint8Array.from(bytes.subarray(0, 16));
  // Version 8 and variant of RFC 9562: a UUID of our own making.
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x80;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  return stringify(id);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
