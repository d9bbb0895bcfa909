/** The outbox stops trying to send a mail after this time (gateway/PROTOCOL.md#mail-delivery). */
export const giveUpAfterMs = 24 * 3_600_000;

/** The delay after a mail server deferred a mail: 5 s at first, growing to 10 min. */
export function deferredDelayMs(attempts: number, random = Math.random()): number {
  return grown(attempts, 600_000, random);
}

/**
 * The delay while no mail server can be reached. It is at most 30 s, so that waiting mails leave within a minute of the
 * server's return (SECURITY.md#mail).
 */
export function unreachableDelayMs(attempts: number, random = Math.random()): number {
  return grown(attempts, 30_000, random);
}

function grown(attempts: number, mostMs: number, random: number): number {
  const base = Math.min(5000 * 2 ** Math.min(attempts - 1, 20), mostMs / 1.5);
  return Math.round(Math.max(5000, base) * (1 + random * 0.5));
}
