import { type Clock, hasCode, type Logger, type Loop, later, startLoop } from '@knowledge/runtime';
import type { Catalog } from './client.js';
import type { PublicationClaim, PublicationStore } from './store.js';

/** Longer than any delivery. If a claim expired earlier, the catalog would ignore the repeated change. */
const claimMs = 15_000;
const atOnce = 8;

/**
 * Delivers publications and retractions to the catalog. It repeats each one until it succeeds. Replicas may run it in
 * parallel and crash at any time, since the catalog applies a repeated change only once.
 */
export function startPublisher(
  publications: PublicationStore,
  catalog: Catalog,
  clock: Clock,
  log: Logger,
  /** Called after rounds that delivered, since mails and erasures may wait for a delivery. */
  onApplied: () => void,
): Loop {
  const deliver = async (claim: PublicationClaim, signal: AbortSignal) => {
    const { contribution, publication } = claim;
    try {
      const applied = await catalog.apply(contribution, publication, signal);
      if (applied < publication.revision) throw new Error('The catalog did not take the revision.');
    } catch (error) {
      const outage = hasCode(error, 'unavailable');
      const facts = { err: error, contribution: contribution.id, attempts: publication.attempts };
      // Logs an outage only at the first attempt of each contribution.
      if (outage && publication.attempts === 1) log.info(facts, 'the catalog does not answer; trying again');
      if (!outage) log.error(facts, 'the catalog refuses a publication; trying again');
      const delay = retryDelayMs(publication.attempts, outage);
      await publications.postpone(claim, later(clock(), delay), signal);
      return false;
    }
    await publications.applied(claim, clock(), signal);
    return true;
  };

  return startLoop({
    name: 'publisher',
    pauseMs: 500,
    longestPauseMs: 5000,
    log,
    round: async (signal) => {
      const now = clock();
      const claims = await publications.claim(atOnce, now, later(now, claimMs), signal);
      const delivered = await Promise.all(claims.map((claim) => deliver(claim, signal)));
      if (delivered.includes(true)) onApplied();
      return claims.length > 0;
    },
  });
}

/** The delay before the next attempt: a few seconds in an outage. If the catalog refuses, it grows up to 5 minutes. */
function retryDelayMs(attempts: number, outage: boolean, random = Math.random()) {
  const most = outage ? 3000 : 300_000;
  return Math.min(250 * 2 ** Math.min(attempts - 1, 20), most) * (0.75 + random / 2);
}
