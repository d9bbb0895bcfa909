import { type Clock, type Closable, hasCode, type Logger, startLoop, workerContext } from '@knowledge/runtime';
import type { EndedAuthorization, Identity } from '../clients/identity.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { EndAuthorizations } from '../store/contributions.js';

/**
 * The duration of one stream. The next stream continues where it stopped. It is shorter than the grace of the age limit
 * of connections (20 s), which would break a longer stream and look like an outage.
 */
const streamMs = 15_000;

/**
 * Follows the log of ended authorizations in the identity service and ends them here. It stores the position after each
 * entry, so that a restart resumes there. All replicas may do this, since a repeated end changes nothing.
 */
export function startEndedAuthorizations(
  identity: Pick<Identity, 'endedAuthorizations'>,
  authorizations: AuthorizationStore,
  endAuthorizations: EndAuthorizations,
  clock: Clock,
  log: Logger,
): Closable {
  const apply = async (event: EndedAuthorization, signal: AbortSignal) => {
    const { cursor, authorizationId, end, withdrawWaiting } = event;
    await endAuthorizations(
      { authorizationIds: [authorizationId], email: undefined, end, withdrawWaiting },
      workerContext(signal, clock()),
    );
    await authorizations.moveCursor(cursor, signal);
  };

  return startLoop({
    name: 'ended authorizations',
    pauseMs: 250,
    roundLimitMs: streamMs,
    closeLimitMs: 0,
    log,
    round: async (signal) => {
      try {
        for await (const event of follow(identity, authorizations, signal, log)) await apply(event, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      return true;
    },
  });
}

/**
 * Streams the log from the stored position. If the identity service refuses the position, its database was restored
 * from a backup. The next stream then begins at the start, which is safe, since a repeated end changes nothing.
 */
async function* follow(
  identity: Pick<Identity, 'endedAuthorizations'>,
  authorizations: AuthorizationStore,
  signal: AbortSignal,
  log: Logger,
): AsyncGenerator<EndedAuthorization> {
  const after = await authorizations.cursor(signal);
  try {
    yield* identity.endedAuthorizations(after, signal);
  } catch (error) {
    if (!hasCode(error, 'validation_error') || after === '0') throw error;
    log.warn(
      { err: error, cursor: after },
      'the log of ended authorizations was restored from a backup; reading it again from the beginning',
    );
    await authorizations.moveCursor('0', signal);
  }
}
