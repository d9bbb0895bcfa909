import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf } from './wrk.js';

/** What a process uses that nobody calls. */
export interface Idle {
  /** The resident memory in megabytes. */
  readonly megabytes: number;
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
      return [name, { megabytes: residentOf(pid), percent: (ticks(name) * 10 * 100) / took }];
    }),
  );
}

/** The resident memory of a process in megabytes. */
function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
