import type { Clock } from '@knowledge/runtime';
import { hasCode, type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Catalog } from '../domain/catalog.js';
import type { PublicationClaim, PublicationStore } from '../store/publications.js';

/** Longer than any delivery. It only saves work, because the catalog compares revisions. */
const leaseMs = 15_000;
const atOnce = 8;

/**
 * Delivers publications and retractions to the catalog, each until it succeeds. Replicas can run it in parallel and
 * crash at any point: the catalog applies a repeated change once.
 */
export function startPublisher(publications: PublicationStore, catalog: Catalog, clock: Clock, log: Logger): Loop {
  const deliver = async (claim: PublicationClaim, signal: AbortSignal): Promise<boolean> => {
    const { contribution, publication } = claim;
    try {
      const applied = await catalog.apply(contribution, publication, signal);
      if (applied < publication.revision) throw new Error('The catalog did not take the revision.');
    } catch (error) {
      const outage = hasCode(error, 'unavailable');
      const facts = { err: error, contribution: contribution.id, attempts: publication.attempts };
      // Log once per outage and contribution, not for each attempt.
      if (outage && publication.attempts === 1) log.info(facts, 'the catalog does not answer; trying again');
      if (!outage) log.error(facts, 'the catalog refuses a publication; trying again');
      const delay = retryDelayMs(publication.attempts, outage);
      await publications.postpone(claim, new Date(clock().getTime() + delay), signal);
      return false;
    }
    await publications.applied(claim, clock(), signal);
    return true;
  };

  return startLoop({
    name: 'publisher',
    pauseMs: 500,
    log,
    round: async (signal) => {
      const now = clock();
      const claims = await publications.claim(atOnce, now, new Date(now.getTime() + leaseMs), signal);
      const delivered = await Promise.all(claims.map((claim) => deliver(claim, signal)));
      return delivered.includes(true);
    },
  });
}

/** Retries every few seconds during an outage. If the catalog refuses, the delay grows up to 5 minutes. */
function retryDelayMs(attempts: number, outage: boolean, random = Math.random()): number {
  const most = outage ? 3000 : 300_000;
  return Math.min(250 * 2 ** Math.min(attempts - 1, 20), most) * (0.75 + random / 2);
}
