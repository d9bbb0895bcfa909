import type { QuotaServiceService, Settlement as WireSettlement } from '@knowledge/proto/knowledge/quota/v1/quota';
import { deadlineIn, deadlineSignal, KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import type { LeaseStore, Settlement } from '../domain/lease.js';
import { type ConsumeDependencies, consume } from './consume.js';
import { requireCharge, requireTurn, toWireAllowance } from './wire.js';

const maxCharges = 16;
const maxSettlements = 1024;
const settlePatienceMs = 5000;

export interface QuotaHandlerDependencies extends ConsumeDependencies {
  readonly leases: LeaseStore;
}

export function quotaHandlers(parts: QuotaHandlerDependencies): Handlers<QuotaServiceService> {
  const { quota, policies, leases } = parts;
  return {
    consume: consume(parts),

    // Completes even if the caller disconnects, since a caller may settle just before it is killed.
    async settle({ settlements }) {
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
    },

    async peek({ charges }, { signal }) {
      if (charges.length > maxCharges) {
        throw new KnowledgeError('validation_error', `charges must have at most ${maxCharges} elements.`);
      }
      const peeked = charges.map((charge) => requireCharge(charge, policies));
      return { allowances: (await quota.peek(peeked, signal)).map(toWireAllowance) };
    },
  };
}

function fromWireSettlement({ lease, undelivered }: WireSettlement): Settlement {
  if (lease === undefined) throw new KnowledgeError('validation_error', 'settlements.lease is required.');
  return { ...requireTurn(lease), undelivered };
}
