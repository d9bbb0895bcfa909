import type {
  SettleRequest,
  SettleResponse,
  Settlement as WireSettlement,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { deadlineIn, deadlineSignal, KnowledgeError } from '@knowledge/runtime';
import type { LeaseStore, Settlement } from '../domain/lease.js';
import { requireTurn } from './wire.js';

const maxSettlements = 1024;
const settlePatienceMs = 5000;

/** Settles turns of leases, by a unary call or as a call on a stream. */
export type SettleCall = (request: SettleRequest) => Promise<SettleResponse>;

/** Completes even if the caller disconnects, since a caller may settle just before it is killed. */
export function settle(leases: LeaseStore): SettleCall {
  return async ({ settlements }) => {
    if (settlements.length > maxSettlements) {
      throw new KnowledgeError('validation_error', `settlements must have at most ${maxSettlements} elements.`);
    }
    const turns = settlements.map(fromWireSettlement);
    const { signal, clear } = deadlineSignal(deadlineIn(settlePatienceMs));
    try {
      if (turns.length > 0) await leases.settle(turns, signal);
    } finally {
      clear();
    }
    return {};
  };
}

function fromWireSettlement({ lease, undelivered }: WireSettlement): Settlement {
  if (lease === undefined) throw new KnowledgeError('validation_error', 'settlements.lease is required.');
  return { ...requireTurn(lease), undelivered };
}
