import { setTimeout as pause } from 'node:timers/promises';
import type { Settlement } from '@knowledge/proto/knowledge/quota/v1/quota';
import { createBatcher } from '../batch.js';
import { type Deadline, deadlineIn } from '../deadline.js';

/** Settles leases of the quota service in the background. */
export interface Settler {
  /**
   * Sends a settlement, and repeats it until it is answered. After a minute the quota service gives the lease back
   * anyway.
   */
  settle(settlement: Settlement): void;
  /** Waits up to 2 s for unanswered settlements. */
  close(): Promise<void>;
}

const patienceMs = 60_000;
const closeMs = 2_000;

/**
 * The most settlements that may wait (a few megabytes). Without the quota service nothing is granted, so no more arise.
 */
const maxWaiting = 10_000;

export function createSettler(send: (settlements: Settlement[], deadline: Deadline) => Promise<unknown>): Settler {
  const batcher = createBatcher<Settlement, true>({
    send: async (settlements, { deadline }) => {
      await send(settlements, deadline);
      return settlements.map(() => true);
    },
    maxItems: 1_000,
    // In bytes: the size of an id on the wire.
    weight: { max: 128 * 1024, of: ({ undelivered }) => 64 * (1 + undelivered.length) },
    // Each is sent at once, because it must precede the response that it belongs to.
    maxInFlight: 16,
    maxWaiting,
  });
  const waiting = new Set<Promise<void>>();
  let closed = false;

  const untilAnswered = async (settlement: Settlement): Promise<void> => {
    const giveUp = Date.now() + patienceMs;
    for (let tries = 1; !closed && Date.now() < giveUp; tries += 1) {
      try {
        await batcher.add(settlement, { deadline: deadlineIn(1_500) });
        return;
      } catch {
        await pause(Math.min(1_000, 50 * 2 ** tries) * (0.5 + Math.random() / 2));
      }
    }
  };

  return {
    settle(settlement) {
      if (waiting.size >= maxWaiting) return;
      const answered = untilAnswered(settlement).finally(() => waiting.delete(answered));
      waiting.add(answered);
    },
    async close() {
      const limit = new AbortController();
      await Promise.race([Promise.all(waiting), pause(closeMs, undefined, { signal: limit.signal })]);
      limit.abort();
      closed = true;
      batcher.close();
    },
  };
}
