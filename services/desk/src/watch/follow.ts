import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientReadableStream, Metadata, ServiceError } from '@grpc/grpc-js';
import { status as Code } from '@grpc/grpc-js';
import { KnowledgeError } from '@knowledge/runtime';
import { fromServiceError } from '@knowledge/runtime/grpc';
import type { EventView, LogSource } from './sources.js';

/** How one log is followed. */
export interface Follower {
  readonly source: LogSource;
  /** Resolves when the stream has begun, with the cursor where it did; rejects if it could not. */
  readonly started: Promise<string>;
  /**
   * Hands over one event after the other until the signal aborts; opens the stream again after a break, behind the last
   * event that was handed over; a log with an end in time is not opened again. Rejects only for what trying again cannot mend.
   */
  run(onEvent: (event: EventView, cursor: string) => void | Promise<void>): Promise<void>;
}

const firstPauseMs = 250;
const longestPauseMs = 2000;

/** Opens a log behind a cursor, or from now on with an empty one. */
export function follow(
  source: LogSource,
  after: string,
  until: Date | undefined,
  signal: AbortSignal,
  notify: (text: string) => void,
): Follower {
  let cursor = after;
  let stream: ClientReadableStream<{ cursor: string }> | undefined = source.open(cursor);
  const started = startOf(stream);
  // Whoever waits for it hears of it; nobody need wait.
  started.catch(() => undefined);
  return {
    source,
    started,
    async run(onEvent) {
      cursor ||= await started;
      for (let failedAttempts = 0; !signal.aborted; failedAttempts++) {
        stream ??= source.open(cursor);
        // The loop hears of it too; this one is for what comes after the loop.
        stream.on('error', () => undefined);
        stream.once('metadata', () => {
          if (failedAttempts > 1) notify(`${source.service} answers again.`);
          failedAttempts = 0;
        });
        try {
          for await (const response of stream as AsyncIterable<{ cursor: string }>) {
            cursor = response.cursor;
            failedAttempts = 0;
            await onEvent(source.present(response), cursor);
          }
          if (until !== undefined && until.getTime() <= Date.now()) return;
        } catch (error) {
          if (signal.aborted) return;
          if (!isTemporary(error)) throw fromServiceError(error);
          if (failedAttempts === 1) notify(`${source.service} does not answer; trying again.`);
        }
        stream = undefined;
        const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** failedAttempts);
        // An abort ends the pause early; the loop then ends as well.
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

function startOf(stream: ClientReadableStream<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    stream.once('metadata', (metadata: Metadata) => {
      const [cursor] = metadata.get('x-cursor');
      resolve(typeof cursor === 'string' ? cursor : '');
    });
    stream.once('error', (error) => reject(fromServiceError(error)));
  });
}

const permanentCodes: ReadonlySet<unknown> = new Set([
  Code.UNIMPLEMENTED,
  Code.PERMISSION_DENIED,
  Code.UNAUTHENTICATED,
]);

/** Whether the stream broke as streams do: the service was restarted, the connection was lost or got too old. */
function isTemporary(error: unknown): boolean {
  if (permanentCodes.has((error as Partial<ServiceError>).code)) return false;
  const { code } = fromServiceError(error);
  return code === 'unavailable' || code === 'internal_error';
}

/** Waits for the beginnings of all streams, at most so long. */
export async function waitForAllStarted(
  followers: readonly Follower[],
  ms: number,
  signal: AbortSignal,
): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new KnowledgeError('unavailable', 'A stream did not begin in time.')), ms);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([Promise.all(followers.map(({ started }) => started)), late]);
  } finally {
    clearTimeout(timer);
  }
}
