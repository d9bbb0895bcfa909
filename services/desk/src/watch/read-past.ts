import { status } from '@grpc/grpc-js';
import { fromServiceError } from '@knowledge/runtime/client';
import type { WatchedService } from './cursor.js';
import type { EventView, LogSource } from './sources.js';

/** Past events of several logs. */
export interface PastEvents {
  /** The newest events, newest first. */
  readonly events: readonly EventView[];
  /** How many events were read. */
  readonly total: number;
  /** Whether a log has more events than were read, so that its newest ones are missing. */
  readonly cut: boolean;
  /** The logs that the staff member may not read. */
  readonly refused: readonly WatchedService[];
}

/**
 * Reads the events of logs whose filter has a beginning and an end in the past. It reads at most `most` events of each
 * log and keeps the newest `keep` of them.
 */
export async function readPast(
  sources: readonly LogSource[],
  { keep, most }: { keep: number; most: number },
): Promise<PastEvents> {
  const refused: WatchedService[] = [];
  const logs = await Promise.all(
    sources.map(async (source) => {
      try {
        return await readLog(source, keep, most);
      } catch (error) {
        if ((error as { code?: unknown }).code !== status.PERMISSION_DENIED) throw fromServiceError(error);
        refused.push(source.service);
        return { events: [], total: 0, cut: false };
      }
    }),
  );
  const events = logs.flatMap((log) => log.events).sort((a, b) => timeOf(b) - timeOf(a));
  return {
    events: events.slice(0, keep),
    total: logs.reduce((sum, { total }) => sum + total, 0),
    cut: logs.some(({ cut }) => cut),
    refused: refused.sort(),
  };
}

async function readLog(
  source: LogSource,
  keep: number,
  most: number,
): Promise<{ events: readonly EventView[]; total: number; cut: boolean }> {
  const stream = source.open('');
  let events: EventView[] = [];
  let total = 0;
  for await (const response of stream as AsyncIterable<{ cursor: string }>) {
    if (total === most) {
      stream.cancel();
      return { events: events.slice(-keep), total, cut: true };
    }
    total++;
    events.push(source.present(response));
    if (events.length === 2 * keep) events = events.slice(-keep);
  }
  return { events: events.slice(-keep), total, cut: false };
}

function timeOf({ occurred_at }: EventView): number {
  return Date.parse(occurred_at ?? '') || 0;
}
