import { setTimeout as pause } from 'node:timers/promises';
import type { Settlement } from '@knowledge/proto/knowledge/quota/v1/quota';
import { createBatcher } from '../batch.js';
import { type Deadline, deadlineIn } from '../deadline.js';

/** Settles leases of the quota service in the background. */
export interface Settler {
  /** Sends a settlement now, and again until it is answered; after a minute the lease is given back anyway. */
  settle(settlement: Settlement): void;
  /** Waits up to 2 s for what is not answered yet. */
  close(): Promise<void>;
}

const patienceMs = 60_000;
const closeMs = 2_000;

/** So many wait at most, some megabytes: without quota nothing is granted, so there is nothing new to settle. */
const maxWaiting = 10_000;

/** Makes a settler of the call. */
export function createSettler(send: (settlements: Settlement[], deadline: Deadline) => Promise<unknown>): Settler {
  const batcher = createBatcher<Settlement, true>({
    send: async (settlements, { deadline }) => {
      await send(settlements, deadline);
      return settlements.map(() => true);
    },
    maxItems: 1_000,
    // In bytes: the length of an id and what encodes it.
    weight: { max: 128 * 1024, of: ({ undelivered }) => 64 * (1 + undelivered.length) },
    // Each leaves at once: it must be on its way before the answer that it speaks of.
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
