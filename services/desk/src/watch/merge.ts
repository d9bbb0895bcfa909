import type { EventView } from './sources.js';

/** An event with the cursor of its own log. */
export interface Numbered {
  readonly event: EventView;
  readonly cursor: string;
  /** What it is about, in words, once that is known. */
  readonly title?: Promise<string | null>;
}

/** The logs as one, in the order of time. */
export interface Merge {
  /** The next event of a log; resolves when there is room for another. */
  push(service: string, next: Numbered): Promise<void>;
  /** A log has shown everything that was in it at the beginning, or has ended: it is waited for no more. */
  caughtUp(service: string): void;
}

/** So many events of a log wait for the others. */
const mostWaiting = 500;

/**
 * Joins logs, each of which is in the order of time. An event is given when every log that still has old ones has shown its
 * next, so that all of the past comes in order; what happens from then on comes as it arrives.
 */
export function mergeByTime(services: readonly string[], emit: (next: Numbered) => void): Merge {
  const waiting = new Map<string, Numbered[]>(services.map((service) => [service, []]));
  const behind = new Set(services);
  let wake: (() => void)[] = [];

  const pump = (): void => {
    for (;;) {
      if ([...behind].some((service) => waiting.get(service)?.length === 0)) break;
      const heads = [...waiting].flatMap(([service, [head]]) => (head === undefined ? [] : [{ service, head }]));
      const [first] = heads.sort((a, b) => timeOf(a.head) - timeOf(b.head));
      if (first === undefined) break;
      waiting.get(first.service)?.shift();
      emit(first.head);
    }
    const woken = wake;
    wake = [];
    for (const each of woken) each();
  };

  return {
    async push(service, next) {
      waiting.get(service)?.push(next);
      pump();
      while ((waiting.get(service)?.length ?? 0) >= mostWaiting)
        await new Promise<void>((resolve) => wake.push(resolve));
    },
    caughtUp(service) {
      behind.delete(service);
      pump();
    },
  };
}

function timeOf({ event }: Numbered): number {
  return Date.parse(event.occurred_at ?? '') || 0;
}
