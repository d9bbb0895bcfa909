import { ownerNetworkOf } from '@knowledge/runtime';
import { areAlike } from '@knowledge/runtime/names';
import type { Authorization } from './authorization.js';

/** A request to the same mailbox that was decided. */
type DecidedRequest = Pick<Authorization, 'agentName' | 'decidedAt'>;

/** What the human of a mailbox decided about requests that are still stored. */
export interface EarlierDecisions {
  /** Declined requests, newest first, each with the address that it came from; empty if that is unknown. */
  readonly declined: readonly (DecidedRequest & { readonly address: string })[];
  /** The names of agents that have access. */
  readonly agentNames: readonly string[];
}

const quietMs = 24 * 3_600_000;

/**
 * Whether a No of the last day was for this name or this network. Who turned requests on
 * again since wants them.
 */
export function isQuiet(
  { declined }: EarlierDecisions,
  { agentName, address }: { agentName: string; address: string },
  allowedAt: Date | undefined,
  now: Date,
): boolean {
  const asks = address && ownerNetworkOf(address);
  return declined.some(
    (no) =>
      (no.decidedAt?.getTime() ?? 0) > Math.max(now.getTime() - quietMs, allowedAt?.getTime() ?? 0) &&
      (areAlike(no.agentName, agentName) || (asks !== '' && no.address !== '' && asks === ownerNetworkOf(no.address))),
  );
}
