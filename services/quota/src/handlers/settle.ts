import type {
  SettleRequest,
  SettleResponse,
  Settlement as WireSettlement,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { deadlineIn, deadlineSignal, KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { LeaseStore, Settlement } from '../domain/lease.js';
import { readLease } from './wire.js';

const maxSettlements = 1024;
const patienceMs = 5000;

/** QuotaService.Settle. It is done even if its caller is gone: a process that is killed has passed on what it settles. */
export function handleSettle(leases: LeaseStore): UnaryHandler<SettleRequest, SettleResponse> {
  return async ({ settlements }) => {
    if (settlements.length > maxSettlements) {
      throw new KnowledgeError('validation_error', `settlements must have at most ${maxSettlements} elements.`);
    }
    const read = settlements.map(readSettlement);
    const { signal, clear } = deadlineSignal(deadlineIn(patienceMs));
    try {
      if (read.length > 0) await leases.settle(read, signal);
    } finally {
      clear();
    }
    return {};
  };
}

function readSettlement({ lease, undelivered }: WireSettlement): Settlement {
  if (lease === undefined) throw new KnowledgeError('validation_error', 'settlements.lease is required.');
  return { ...readLease(lease), undelivered };
}
