import type { EventView } from './sources.js';

/** An event with the cursor of its own log. */
export interface EventWithCursor {
  readonly event: EventView;
  readonly cursor: string;
  /** What it is about, in words, once that is known. */
  readonly title?: Promise<string | null>;
}

/** The logs as one, in the order of time. */
export interface EventMerge {
  /** The next event of a log; resolves when there is room for another. */
  push(service: string, next: EventWithCursor): Promise<void>;
  /** A log has shown everything that was in it at the beginning, or has ended: it is waited for no more. */
  caughtUp(service: string): void;
}

/** So many events of a log wait for the others. */
const maxBuffered = 500;

/**
 * Joins logs, each of which is in the order of time. An event is given when every log that still has old ones has shown its
 * next, so that all of the past comes in order; what happens from then on comes as it arrives.
 */
export function mergeByTime(services: readonly string[], emit: (next: EventWithCursor) => void): EventMerge {
  const waiting = new Map<string, EventWithCursor[]>(services.map((service) => [service, []]));
  const behind = new Set(services);
  let wakeUps: (() => void)[] = [];

  const emitReady = (): void => {
    for (;;) {
      if ([...behind].some((service) => waiting.get(service)?.length === 0)) break;
      const heads = [...waiting].flatMap(([service, [head]]) => (head === undefined ? [] : [{ service, head }]));
      const [first] = heads.sort((a, b) => timeOf(a.head) - timeOf(b.head));
      if (first === undefined) break;
      waiting.get(first.service)?.shift();
      emit(first.head);
    }
    const woken = wakeUps;
    wakeUps = [];
    for (const each of woken) each();
  };

  return {
    async push(service, next) {
      waiting.get(service)?.push(next);
      emitReady();
      while ((waiting.get(service)?.length ?? 0) >= maxBuffered)
        await new Promise<void>((resolve) => wakeUps.push(resolve));
    },
    caughtUp(service) {
      behind.delete(service);
      emitReady();
    },
  };
}

function timeOf({ event }: EventWithCursor): number {
  return Date.parse(event.occurred_at ?? '') || 0;
}
