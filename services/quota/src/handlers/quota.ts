import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError } from '@knowledge/runtime';
import { type Handlers, streamCallsOf } from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { LeaseStore } from '../domain/lease.js';
import { type ConsumeDependencies, consume } from './consume.js';
import { consumeStream } from './consume-stream.js';
import { settle } from './settle.js';
import { requireCharges, toWireAllowance } from './wire.js';

const maxCharges = 16;

export interface QuotaHandlerDependencies extends ConsumeDependencies {
  readonly leases: LeaseStore;
  readonly telemetry: Telemetry;
}

export function quotaHandlers(parts: QuotaHandlerDependencies): Handlers<QuotaServiceService> {
  const { quota, policies, leases, telemetry } = parts;
  const calls = { consume: consume(parts), settle: settle(leases) };
  return {
    ...calls,
    consumeStream: consumeStream({
      ...calls,
      runConsume: streamCallsOf(QuotaServiceService.consume, telemetry),
      runSettle: streamCallsOf(QuotaServiceService.settle, telemetry),
    }),

    async peek({ charges }, { signal }) {
      if (charges.length > maxCharges) {
        throw new KnowledgeError('validation_error', `charges must have at most ${maxCharges} elements.`);
      }
      const groups = charges.map((charge) => requireCharges(charge, policies));
      const peeked = await quota.peek(groups.flat(), signal);
      // Of the networks around an address, the one with the least left decides.
      const least = groups.map(({ length }) =>
        peeked.splice(0, length).reduce((one, other) => (other.remaining < one.remaining ? other : one)),
      );
      return { allowances: least.map(toWireAllowance) };
    },
  };
}
