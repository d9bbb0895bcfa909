import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessId } from './process-id.js';

export interface EndProcessOptions {
  /** How long to wait after SIGTERM before SIGKILL. */
  readonly graceMs: number;
  /** Sends SIGKILL at once when aborted. */
  readonly hurry?: AbortSignal;
}

/**
 * Ends a process with SIGTERM, then SIGKILL. Does nothing if the pid now belongs to another process.
 * @returns `gone` if it had ended before, `ended` after SIGTERM, `killed` after SIGKILL
 */
export async function endProcess(
  processId: ProcessId,
  options: EndProcessOptions,
): Promise<'gone' | 'ended' | 'killed'> {
  if (!signalProcess(processId, 'SIGTERM')) return 'gone';
  const deadline = Date.now() + options.graceMs;
  while (isAlive(processId)) {
    if (Date.now() > deadline || options.hurry?.aborted) {
      signalProcess(processId, 'SIGKILL');
      while (isAlive(processId)) await delay(10);
      return 'killed';
    }
    await delay(10);
  }
  return 'ended';
}

/** @returns false if the process no longer runs */
export function signalProcess(processId: ProcessId, signal: NodeJS.Signals): boolean {
  if (!isAlive(processId)) return false;
  try {
    process.kill(processId.pid, signal);
    return true;
  } catch {
    return false;
  }
}
