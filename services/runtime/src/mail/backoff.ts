/** A mail is tried for this long (gateway/PROTOCOL.md#mail-delivery). */
export const giveUpAfterMs = 24 * 3_600_000;

/** A mail server that says "not now" is asked again after 5 s, then ever later, up to 10 min. */
export function deferredDelayMs(attempts: number, random = Math.random()): number {
  return grown(attempts, 600_000, random);
}

/**
 * A mail server that is not there is looked for at least every 30 s, so that whatever waits leaves within a minute of its
 * return (SECURITY.md#mail).
 */
export function unreachableDelayMs(attempts: number, random = Math.random()): number {
  return grown(attempts, 30_000, random);
}

function grown(attempts: number, mostMs: number, random: number): number {
  const base = Math.min(5000 * 2 ** Math.min(attempts - 1, 20), mostMs / 1.5);
  return Math.round(Math.max(5000, base) * (1 + random * 0.5));
}
