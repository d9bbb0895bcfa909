import type { ClientReadableStream, Metadata, ServiceError } from '@grpc/grpc-js';
import { status as Code } from '@grpc/grpc-js';
import { KnowledgeError } from '@knowledge/runtime';
import { fromServiceError } from '@knowledge/runtime/grpc';
import type { EventView, Source } from './sources.js';

/** How one log is followed. */
export interface Follower {
  readonly source: Source;
  /** Resolves when the stream has begun, with the cursor where it did; rejects if it could not. */
  readonly begun: Promise<string>;
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
  source: Source,
  after: string,
  until: Date | undefined,
  signal: AbortSignal,
  tell: (text: string) => void,
): Follower {
  let cursor = after;
  let stream: ClientReadableStream<{ cursor: string }> | undefined = source.open(cursor);
  const begun = beginning(stream);
  // Whoever waits for it hears of it; nobody need wait.
  begun.catch(() => undefined);
  return {
    source,
    begun,
    async run(onEvent) {
      cursor ||= await begun;
      for (let misses = 0; !signal.aborted; misses++) {
        stream ??= source.open(cursor);
        // The loop hears of it too; this one is for what comes after the loop.
        stream.on('error', () => undefined);
        stream.once('metadata', () => {
          if (misses > 1) tell(`${source.service} answers again.`);
          misses = 0;
        });
        try {
          for await (const response of stream as AsyncIterable<{ cursor: string }>) {
            cursor = response.cursor;
            misses = 0;
            await onEvent(source.present(response), cursor);
          }
          if (until !== undefined && until.getTime() <= Date.now()) return;
        } catch (error) {
          if (signal.aborted) return;
          if (!isPassing(error)) throw fromServiceError(error);
          if (misses === 1) tell(`${source.service} does not answer; trying again.`);
        }
        stream = undefined;
        await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** misses), signal);
      }
    },
  };
}

function beginning(stream: ClientReadableStream<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    stream.once('metadata', (metadata: Metadata) => {
      const [cursor] = metadata.get('x-cursor');
      resolve(typeof cursor === 'string' ? cursor : '');
    });
    stream.once('error', (error) => reject(fromServiceError(error)));
  });
}

const lasting: ReadonlySet<unknown> = new Set([Code.UNIMPLEMENTED, Code.PERMISSION_DENIED, Code.UNAUTHENTICATED]);

/** Whether the stream broke as streams do: the service was restarted, the connection was lost or got too old. */
function isPassing(error: unknown): boolean {
  if (lasting.has((error as Partial<ServiceError>).code)) return false;
  const { code } = fromServiceError(error);
  return code === 'unavailable' || code === 'internal_error';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

/** Waits for the beginnings of all streams, at most so long. */
export async function allBegun(followers: readonly Follower[], ms: number, signal: AbortSignal): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new KnowledgeError('unavailable', 'A stream did not begin in time.')), ms);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([Promise.all(followers.map(({ begun }) => begun)), late]);
  } finally {
    clearTimeout(timer);
  }
}
