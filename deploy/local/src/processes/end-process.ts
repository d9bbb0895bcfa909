import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from './identity.js';

export interface EndProcessOptions {
  /** How long SIGTERM is given before SIGKILL follows. */
  readonly graceMs: number;
  /** Cuts the grace short when aborted: SIGKILL follows at once. */
  readonly hurry?: AbortSignal;
}

/**
 * Ends one process by its pid, first kindly. It is a no-op where the pid now belongs to somebody else.
 * @returns how it went: it was not there, it ended by itself, or it had to be killed
 */
export async function endProcess(
  identity: ProcessIdentity,
  options: EndProcessOptions,
): Promise<'gone' | 'ended' | 'killed'> {
  if (!signalProcess(identity, 'SIGTERM')) return 'gone';
  const deadline = Date.now() + options.graceMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline || options.hurry?.aborted) {
      signalProcess(identity, 'SIGKILL');
      while (isAlive(identity)) await delay(10);
      return 'killed';
    }
    await delay(10);
  }
  return 'ended';
}

/** @returns false where the recorded process no longer lives */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}
