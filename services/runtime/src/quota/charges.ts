import type { Charge, ConsumeResult, QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { hopMarginMs } from '../deadline.js';
import type { CallOptions, GrpcClient } from '../grpc/connect.js';
import { RemoteClock } from '../remote-clock.js';
import { createSettler } from './settler.js';

/** Charges one unit at a time, for services that count the units that they store. */
export interface Charges {
  /** Takes one unit of every charge, or nothing. Quota gives the units back unless `keep` follows within seconds. */
  take(id: string, charges: Charge[], call: CallOptions): Promise<ConsumeResult['outcome']>;
  /** Makes the charge permanent. Call it when the contribution or other reason of the charge is stored. */
  keep(id: string): void;
  close(): Promise<void>;
}

// All attempts at one unit use the same lease and turn. If one attempt keeps the unit, it stays charged.
const turn = 1;

/** Makes charges through the quota service. */
export function createCharges(client: GrpcClient<typeof QuotaServiceService>): Charges {
  const clock = new RemoteClock();
  const settler = createSettler((settlements, deadline) =>
    client.settle({ settlements }, { requestId: settlements[0]?.lease?.id ?? 'settle', deadline }),
  );
  return {
    async take(id, charges, call) {
      const sentAt = Date.now();
      const { requestId, traceparent = '', deadline } = call;
      const context = { requestId, traceparent, timeout: undefined };
      const endsAt = deadline === undefined ? undefined : clock.at(deadline - hopMarginMs);
      const items = [{ context, id, charges, endsAt }];
      const { results, now } = await client.consume({ items, lease: { id, turn }, settlesEarlierTurn: false }, call);
      clock.learn(now, sentAt);
      return results[0]?.outcome;
    },
    keep: (id) => settler.settle({ lease: { id, turn }, undelivered: [] }),
    async close() {
      await settler.close();
      client.close();
    },
  };
}
