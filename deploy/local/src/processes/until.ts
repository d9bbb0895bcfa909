import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when `holds` returns true; an error counts as false. @throws the reason of the signal when it is aborted */
export async function until(signal: AbortSignal, holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (await holds().catch(() => false)) return;
    await delay(50, undefined, { signal });
  }
}
