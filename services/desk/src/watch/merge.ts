import type { EventView } from './sources.js';

/** An event with its position in its own log. */
export interface EventWithCursor {
  readonly event: EventView;
  readonly cursor: string;
  /** The title of the thing, which may still be loading. */
  readonly title?: Promise<string | null>;
}

/** Merges the events of several logs in the order of time. */
export interface EventMerge {
  /** Adds the next event of a log; resolves when there is room for another. */
  push(service: string, next: EventWithCursor): Promise<void>;
  /** The log has sent all its past events, or has ended, so the merge stops waiting for it. */
  caughtUp(service: string): void;
}

/** At most this many events of one log wait for the others. */
const maxBuffered = 500;

/**
 * Merges logs that are each in order of time. It emits past events in order, once every log that still sends past events has
 * one waiting. New events are emitted as they arrive.
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
