import { randomUUID } from 'node:crypto';
import type { Allowance, Charge, ConsumeItem, ConsumeResult } from '@knowledge/proto/knowledge/quota/v1/quota';
import { createBatcher, KnowledgeError, remainingMs } from '@knowledge/runtime';
import { fromStatus } from '@knowledge/runtime/grpc';
import { type Clients, callFor, together } from '../clients.js';
import type { Asker } from '../content/content.js';

/** What counting said. */
export interface Decision {
  readonly granted: boolean;
  readonly allowance: Allowance;
}

/** Counting, through the quota service. */
export interface Quota {
  /** Takes one unit of each charge, or none. Throws unavailable where that cannot be decided: never given away. */
  consume(charges: Charge[], asker: Asker): Promise<Decision>;
  /** What is left, at no cost. */
  peek(charge: Charge, asker: Asker): Promise<Allowance>;
  close(): void;
}

/** Makes the gateway's view of quota: consumes that wait while others are on their way travel together. */
export function createQuota(client: Clients['quota']): Quota {
  const consumes = createBatcher<ConsumeItem, ConsumeResult>({
    send: async (items, { deadline, signal }) => {
      return (await client.consume({ items }, { ...together(items), deadline, signal })).results;
    },
    maxItems: 512,
    maxBytes: 512 * 1024,
    maxInFlight: 2,
    repeatable: true,
  });
  return {
    async consume(charges, { id, deadline, traceparent = '' }) {
      const left = Math.round(remainingMs(deadline));
      const timeout = { seconds: Math.floor(left / 1000), nanos: (left % 1000) * 1_000_000 };
      const context = { requestId: id, traceparent, timeout };
      // A fresh id, never the caller's request id: a stranger must not be able to name a unit that was counted already.
      const { outcome } = await consumes.add({ context, id: randomUUID(), charges }, { deadline });
      switch (outcome?.$case) {
        case 'granted':
          return { granted: true, allowance: outcome.value };
        case 'refused':
          return { granted: false, allowance: outcome.value };
        case 'error':
          throw fromStatus(outcome.value);
        case undefined:
          throw new KnowledgeError('internal_error', 'An item came back without an answer.');
      }
    },
    async peek(charge, asker) {
      const { allowances } = await client.peek({ charges: [charge] }, callFor(asker));
      const [allowance] = allowances;
      if (allowance === undefined) throw new KnowledgeError('internal_error', 'A peek came back without an answer.');
      return allowance;
    },
    close: () => consumes.close(),
  };
}

/** The three headers of an article read (protocol.md section 4): integers, and Unix seconds of the next UTC midnight. */
export function rateLimitHeaders({ limit, remaining, resetAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.floor((resetAt?.getTime() ?? 0) / 1000)),
  };
}
