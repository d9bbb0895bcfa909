import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface GrowthOptions {
  readonly dir: string;
  /** Called with the bytes so far, at most every two seconds, while they grow. */
  readonly onGrowth: (bytes: number) => void;
  /** Called once when nothing has grown for `stalledAfterMs`. */
  readonly onStall: () => void;
  readonly stalledAfterMs: number;
}

/**
 * Watches a download by the size of what it has written, which works for every program that downloads.
 * @returns a function that ends the watch
 */
export function watchGrowth(options: GrowthOptions): () => void {
  let bytes = sizeBelow(options.dir);
  let grewAt = Date.now();
  let toldAt = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    const size = sizeBelow(options.dir);
    if (size !== bytes) {
      bytes = size;
      grewAt = now;
    }
    if (grewAt > toldAt && now - toldAt >= 2_000) {
      toldAt = now;
      options.onGrowth(bytes);
    }
    if (now - grewAt >= options.stalledAfterMs) {
      clearInterval(timer);
      options.onStall();
    }
  }, 200);
  return () => clearInterval(timer);
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}

function sizeBelow(dir: string): number {
  let sum = 0;
  try {
    for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
      if (entry.isFile()) sum += sizeOf(join(entry.parentPath, entry.name));
    }
  } catch {
    // A directory that vanishes while it is read: what was counted so far is good enough.
  }
  return sum;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
