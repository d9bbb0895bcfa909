import { type Deadline, deadlineSignal, KnowledgeError } from '@knowledge/runtime';
import { Turns } from './turns.js';

/**
 * Limits the searches that content runs for this gateway at the same time. Every new query costs time, and nobody pays
 * for it. Others wait, networks take turns, and beyond the bounds they are refused as overload (gateway/PROTOCOL.md#search).
 */
export interface SearchLimit {
  /** Runs a search in its turn. `networks` are those of the client, the widest first. Throws unavailable. */
  run<T>(networks: readonly string[], deadline: Deadline, search: () => Promise<T>): Promise<T>;
}

export interface SearchBounds {
  readonly running: number;
  /** Less than all, so that one widest network leaves places for others. */
  readonly runningPerNetwork: number;
  readonly waiting: number;
}

const defaultBounds: SearchBounds = { running: 8, runningPerNetwork: 2, waiting: 256 };

/** The time that a search has left when it begins. Content would work in vain for one that ends too early. */
const searchMs = 1_000;

/** Makes the limit. It calls `onRefused` for each search that it refuses because too many wait. */
export function createSearchLimit(onRefused: () => void, bounds: SearchBounds = defaultBounds): SearchLimit {
  const waiting = new Turns<{ readonly start: () => void; readonly refuse: (why: string) => void }>();
  const runningOf = new Map<string, number>();
  let running = 0;

  const count = (network: string, change: number): void => {
    running += change;
    const own = (runningOf.get(network) ?? 0) + change;
    if (own > 0) runningOf.set(network, own);
    else runningOf.delete(network);
  };
  const startNext = (): void => {
    while (running < bounds.running) {
      const next = waiting.next((network) => (runningOf.get(network) ?? 0) < bounds.runningPerNetwork);
      if (next === undefined) return;
      next.start();
    }
  };
  const turn = async (networks: readonly string[], widest: string, deadline: Deadline): Promise<void> => {
    const limit = deadlineSignal(deadline - searchMs);
    try {
      await new Promise<void>((resolve, reject) => {
        const item = {
          start: () => resolve(count(widest, 1)),
          refuse: (why: string) => reject(new KnowledgeError('unavailable', why, { retryAfterSeconds: 1 })),
        };
        waiting.add(networks, item);
        limit.signal.addEventListener('abort', () => {
          waiting.remove(networks, item);
          item.refuse('The search did not get its turn in time.');
        });
        startNext();
        if (waiting.size <= bounds.waiting) return;
        onRefused();
        waiting.surplus()?.refuse('Too many searches wait.');
      });
    } finally {
      limit.clear();
    }
  };

  return {
    async run(networks, deadline, search) {
      const [widest = ''] = networks;
      await turn(networks, widest, deadline);
      try {
        return await search();
      } finally {
        count(widest, -1);
        startNext();
      }
    },
  };
}
