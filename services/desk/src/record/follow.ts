import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientReadableStream, status as Code, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { fromServiceError, KnowledgeError } from '@knowledge/runtime/client';
import { type EventView, type LogSource, millisecondsOf } from './sources.js';

const firstPauseMs = 250;
const longestPauseMs = 2000;

/** Reads one log and passes on its events. */
export type Follower = ReturnType<typeof follow>;

/** Starts to follow a log, after a cursor. An empty cursor starts now. */
export function follow(
  source: LogSource,
  after: string,
  until: Date | undefined,
  signal: AbortSignal,
  notify: (text: string) => void,
) {
  let cursor = after;
  let stream: ClientReadableStream<{ cursor: string }> | undefined = source.open(cursor);
  const started = startOf(stream);
  // `started` may reject before a caller waits for it. This prevents an unhandled rejection.
  started.catch(() => undefined);
  return {
    source,
    /** Resolves with the first cursor when the stream has started; rejects if the stream cannot start. */
    started,
    /**
     * Passes on each event in order, until the signal aborts. If a stream breaks, a new one continues after the last
     * event, but not after the time `until`. Rejects only with errors that a retry cannot solve.
     */
    async run(onEvent: (event: EventView, cursor: string) => void | Promise<void>): Promise<void> {
      cursor ||= await started;
      for (let failedAttempts = 0; !signal.aborted; failedAttempts++) {
        stream ??= source.open(cursor);
        // Prevents an unhandled error after the loop. An error inside the loop is thrown there.
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
        // An abort ends this pause early, and then the loop ends too.
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

/** Whether a retry can help: the service restarted, or the connection was lost or was too old. */
function isTemporary(error: unknown) {
  if (permanentCodes.has((error as Partial<ServiceError>).code)) return false;
  const { code } = fromServiceError(error);
  return code === 'unavailable' || code === 'internal_error';
}

/** Waits until all streams have started, and returns the first cursor of each. */
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

/** An event with its cursor in the log from which it comes. */
export interface EventWithCursor {
  readonly event: EventView;
  readonly cursor: string;
  /** The title of the article or other record. It may still be loading. */
  readonly title?: Promise<string | null>;
}

export type EventMerge = ReturnType<typeof mergeByTime>;

/** The largest number of events of one log that wait for events of other logs. */
const maxBuffered = 500;

/**
 * Merges logs, each of which is in the order of time. Past events are emitted in the order of time: the merge waits
 * until it has an event from every log that still sends past events. New events are emitted when they arrive.
 */
export function mergeByTime(services: readonly string[], emit: (next: EventWithCursor) => void) {
  const waiting = new Map<string, EventWithCursor[]>(services.map((service) => [service, []]));
  const behind = new Set(services);
  let wakeUps: (() => void)[] = [];

  const emitReady = () => {
    for (;;) {
      if ([...behind].some((service) => waiting.get(service)?.length === 0)) break;
      const heads = [...waiting].flatMap(([service, [head]]) => (head === undefined ? [] : [{ service, head }]));
      const [first] = heads.sort((a, b) => millisecondsOf(a.head.event) - millisecondsOf(b.head.event));
      if (first === undefined) break;
      waiting.get(first.service)?.shift();
      emit(first.head);
    }
    const woken = wakeUps;
    wakeUps = [];
    for (const each of woken) each();
  };

  return {
    /** Adds the next event of a log. Resolves when the merge can take another event of this log. */
    async push(service: string, next: EventWithCursor) {
      waiting.get(service)?.push(next);
      emitReady();
      while ((waiting.get(service)?.length ?? 0) >= maxBuffered)
        await new Promise<void>((resolve) => wakeUps.push(resolve));
    },
    /** Says that a log has sent all its past events, or has ended. The merge then no longer waits for this log. */
    caughtUp(service: string) {
      behind.delete(service);
      emitReady();
    },
  };
}
