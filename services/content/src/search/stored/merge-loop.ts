import { setTimeout } from 'node:timers/promises';
import { type Logger, startLoop } from '@knowledge/runtime';
import type { RecentTexts } from './recent-texts.js';
import type { StepStore } from './step-store.js';

/** Merges steps into the postings, many together. */
export interface MergeLoop {
  /** Merges at once if enough texts wait. */
  offer(): void;
  /** Waits until few enough texts wait for a merge. */
  room(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** An index in use. */
export interface MergedIndex {
  readonly fill: string;
  readonly recent: RecentTexts;
  /** Whether this process has stored the last step. It merges first, so that not all replicas try. */
  readonly isFirst: boolean;
}

const pauseMs = 1000;
const roundLimitMs = 60_000;
/** A merge begins when this much waits, or when there was no change for some time. Many texts change the same postings. */
const least = { texts: 256, bytes: 10_000_000, quietMs: 3000, ageMs: 30_000 };
/** Other replicas wait longer than the first one. */
const others = { factor: 2, ms: 10_000 };
/** When this much waits, changes wait for a merge. */
const mostBytes = 24_000_000;
const roomMs = 20;

export function startMergeLoop(steps: StepStore, index: () => MergedIndex | undefined, log: Logger): MergeLoop {
  const loop = startLoop({
    name: 'merge of the stored search index',
    pauseMs,
    roundLimitMs,
    closeLimitMs: 0,
    log,
    async round(signal) {
      const merging = index();
      if (merging === undefined || merging.recent.size === 0) return false;
      const { fill, recent } = merging;
      const merged = await steps.merged(signal);
      if (merged?.fill !== fill) return false;
      recent.drop(merged.position);
      if (!isDue(merging)) return false;
      const to = await steps.merge(fill, signal);
      if (to !== undefined) recent.drop(to);
      return to !== undefined && isDue(merging);
    },
  });
  return {
    offer() {
      const merging = index();
      if (merging !== undefined && isMuch(merging)) loop.kick();
    },
    async room(signal) {
      for (let merging = index(); merging !== undefined && merging.recent.bytes > mostBytes; merging = index()) {
        loop.kick();
        await setTimeout(roomMs, undefined, { signal });
      }
    },
    close: () => loop.close(),
  };
}

function isMuch({ recent, isFirst }: MergedIndex): boolean {
  const factor = isFirst ? 1 : others.factor;
  return recent.size >= least.texts * factor || recent.bytes >= least.bytes * factor;
}

function isDue(merging: MergedIndex): boolean {
  const { recent, isFirst } = merging;
  if (recent.size === 0) return false;
  const now = performance.now() - (isFirst ? 0 : others.ms);
  return isMuch(merging) || now - recent.lastAt >= least.quietMs || now - recent.firstAt >= least.ageMs;
}
