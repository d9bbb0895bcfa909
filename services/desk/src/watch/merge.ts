import type { EventView } from './sources.js';

/** An event with its cursor in the log from which it comes. */
export interface EventWithCursor {
  readonly event: EventView;
  readonly cursor: string;
  /** The title of the article or other record. It may still be loading. */
  readonly title?: Promise<string | null>;
}

/** Merges the events of several logs in the order of their time. */
export interface EventMerge {
  /** Adds the next event of a log. Resolves when the merge can take another event of this log. */
  push(service: string, next: EventWithCursor): Promise<void>;
  /** Says that a log has sent all its past events, or has ended. The merge then no longer waits for this log. */
  caughtUp(service: string): void;
}

/** The largest number of events of one log that wait for events of other logs. */
const maxBuffered = 500;

/**
 * Merges logs, each of which is in the order of time. Past events are emitted in the order of time: the merge waits
 * until it has an event from every log that still sends past events. New events are emitted when they arrive.
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
