import { randomUUID } from 'node:crypto';
import type { Closable, Logger } from '@knowledge/runtime';
import { startLoop } from '@knowledge/runtime';
import type { EndedAuthorization, Identity } from '../clients/identity.js';
import type { Clock } from '../clock.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { EndAuthorizations } from '../store/ending.js';

/** How long one stream lasts: after that the next begins where it stopped. */
const streamMs = 300_000;

/**
 * Follows the ends of authorizations and does what each asks. The place in the log is kept after each, so that a restart
 * goes on there; replicas that follow at the same time do the same things, which changes nothing.
 */
export function startEndedAuthorizations(
  identity: Pick<Identity, 'endedAuthorizations'>,
  authorizations: AuthorizationStore,
  endAuthorizations: EndAuthorizations,
  clock: Clock,
  log: Logger,
): Closable {
  const closing = new AbortController();

  const apply = async (event: EndedAuthorization, signal: AbortSignal): Promise<void> => {
    const { cursor, authorizationId, end, withdrawWaiting } = event;
    const call = { signal, now: clock(), requestId: randomUUID(), deadline: Infinity, traceparent: undefined };
    await endAuthorizations({ authorizationIds: [authorizationId], email: undefined, end, withdrawWaiting }, call);
    await authorizations.moveCursor(cursor, signal);
  };

  const loop = startLoop({
    name: 'ended authorizations',
    pauseMs: 250,
    roundLimitMs: streamMs,
    log,
    round: async (limit) => {
      const signal = AbortSignal.any([limit, closing.signal]);
      try {
        const after = await authorizations.cursor(signal);
        for await (const event of identity.endedAuthorizations(after, signal)) await apply(event, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return !closing.signal.aborted;
    },
  });

  return {
    close: () => {
      closing.abort(new Error('The worker is closing.'));
      return loop.close();
    },
  };
}
