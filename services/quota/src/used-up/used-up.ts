import { KnowledgeError, type Logger, startLoop } from '@knowledge/runtime';
import type { ItemResult } from '../domain/decision.js';
import type { Now } from '../domain/policy.js';
import type { UsedUpDays } from './store/used-up-days.js';

interface UsedUpParts {
  readonly days: UsedUpDays;
  readonly now: Now;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** Makes the counter. It stores its numbers every few seconds, and loses them rather than delay a decision. */
export function createUsedUp({ days, now, log, pauseMs = 5_000 }: UsedUpParts) {
  let waiting = new Map<string, Map<string, number>>();

  const store = async (signal: AbortSignal): Promise<boolean> => {
    const counted = waiting;
    waiting = new Map();
    for (const [day, subjects] of counted) await days.add(day, subjects, signal);
    return false;
  };
  const loop = startLoop({ name: 'used up', pauseMs, log, round: store });

  return {
    count(results: readonly ItemResult[]): void {
      for (const result of results) {
        // Only the grant of the last unit counts, since a subject may be refused many times.
        if (result instanceof KnowledgeError || !result.granted || result.allowance.remaining > 0) continue;
        const { name, limit } = result.allowance.policy;
        if (limit === 0) continue;
        const day = new Date(now()).toISOString().slice(0, 10);
        const subjects = waiting.get(day) ?? new Map<string, number>();
        waiting.set(day, subjects.set(name, (subjects.get(name) ?? 0) + 1));
      }
    },
    async close(): Promise<void> {
      await loop.close();
      await store(AbortSignal.timeout(2_000)).catch(() => undefined);
    },
  };
}
