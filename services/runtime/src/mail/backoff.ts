import type { SendOutcome } from './message.js';

/** The outbox stops trying to send a mail after this time (gateway/PROTOCOL.md#mail-delivery). */
export const giveUpAfterMs = 24 * 3_600_000;

/** The number of times that a mail is sent if the mail server never says whether it accepted it. */
export const mostCopies = 3;

/**
 * The delay before the next attempt: as long as the mail has been tried, within these limits. So the first delays
 * double. Without a server they stay short, so that mails leave within a minute of its return (SECURITY.md#mail).
 */
const limitsMs = {
  deferred: [5000, 1_800_000],
  held: [5000, 1_800_000],
  unreachable: [5000, 20_000],
  unknown: [600_000, 3_600_000],
} satisfies Partial<Record<SendOutcome['kind'], readonly [number, number]>>;

/** Calculates the delay, with a random part of up to a half. */
export function retryDelayMs(kind: keyof typeof limitsMs, triedMs: number, random = Math.random()): number {
  const [least, most] = limitsMs[kind];
  return Math.round(Math.min(Math.max(triedMs, least), most) * (1 + random * 0.5));
}
