import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf } from './wrk.js';

/** What a process uses that nobody calls. */
export interface Idle {
  /** The resident memory in megabytes. */
  readonly megabytes: number;
  /** The same, but each process has only its part of pages that several share. The program of Node is such pages. */
  readonly ownMegabytes: number;
  /** The share of one core, in percent. */
  readonly percent: number;
}

/** Measures idle processes for some seconds, after `settleSeconds` in which they end what they do at their start. */
export async function measureIdle(
  pids: Record<string, number>,
  seconds: number,
  settleSeconds = 1,
): Promise<Record<string, Idle>> {
  await pause(settleSeconds * 1_000);
  const before = cpuOf(pids);
  const began = performance.now();
  await pause(seconds * 1_000);
  const after = cpuOf(pids);
  const took = performance.now() - began;
  const ticks = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const [megabytes, ownMegabytes] = [memoryOf(pid, 'Rss'), memoryOf(pid, 'Pss')];
      return [name, { megabytes, ownMegabytes, percent: (ticks(name) * 10 * 100) / took }];
    }),
  );
}

/** The resident (`Rss`) or proportional (`Pss`) memory of a process in megabytes. */
function memoryOf(pid: number, which: 'Rss' | 'Pss'): number {
  const line = new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}
