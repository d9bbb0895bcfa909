import { status } from '@grpc/grpc-js';
import { fromServiceError } from '@knowledge/runtime/client';
import type { WatchedService } from './cursor.js';
import type { EventView, LogSource } from './sources.js';

/** Past events of several logs. */
export interface PastEvents {
  /** The newest events, newest first. */
  readonly events: readonly EventView[];
  /** The logs that the staff member may not read. */
  readonly refused: readonly WatchedService[];
}

/** Reads the newest events of logs whose filter ends in the past. Each log sends no more than `last` of them. */
export async function readPast(sources: readonly LogSource[], last: number): Promise<PastEvents> {
  const refused: WatchedService[] = [];
  const logs = await Promise.all(
    sources.map(async (source) => {
      try {
        const events: EventView[] = [];
        for await (const response of source.open('') as AsyncIterable<{ cursor: string }>) {
          events.push(source.present(response));
        }
        return events;
      } catch (error) {
        if ((error as { code?: unknown }).code !== status.PERMISSION_DENIED) throw fromServiceError(error);
        refused.push(source.service);
        return [];
      }
    }),
  );
  const events = logs.flat().sort((a, b) => timeOf(b) - timeOf(a));
  return { events: events.slice(0, last), refused: refused.sort() };
}

function timeOf({ occurred_at }: EventView): number {
  return Date.parse(occurred_at ?? '') || 0;
}
