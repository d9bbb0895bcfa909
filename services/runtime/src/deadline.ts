import { randomUUID } from 'node:crypto';
import { KnowledgeError } from './errors/knowledge-error.js';

/** The time when a caller stops waiting, in milliseconds since 1970. `Infinity` means that it waits for ever. */
export type Deadline = number;

/** A call to another service ends this much before its own caller stops waiting. So the response arrives in time. */
export const hopMarginMs = 50;

/** Returns the deadline that is `ms` milliseconds from now. */
export function deadlineIn(ms: number, now = Date.now()): Deadline {
  return now + ms;
}

/**
 * Returns the deadline of a call that a request causes. It is `ownMs` from now, but at least 50 ms before the deadline
 * of the request.
 */
export function childDeadline(parent: Deadline, ownMs: number, now = Date.now()): Deadline {
  return Math.min(now + ownMs, parent - hopMarginMs);
}

/** Returns the milliseconds until the deadline, or 0 if it has passed. */
export function remainingMs(deadline: Deadline, now = Date.now()): number {
  return Math.max(0, deadline - now);
}

/** An AbortSignal with a timer. `clear` stops the timer. */
export interface DeadlineSignal {
  readonly signal: AbortSignal;
  /** Stops the timer and removes the listener from the parent. Call it when the work is done. */
  clear(): void;
}

/**
 * Makes a signal that aborts at the deadline with a `TimeoutError`, or earlier with the parent's reason. It is cheaper
 * than `AbortSignal.any` with `AbortSignal.timeout`, and after `clear` it keeps no reference.
 */
export function deadlineSignal(deadline: Deadline, parent?: AbortSignal): DeadlineSignal {
  const controller = new AbortController();
  if (parent?.aborted) {
    controller.abort(parent.reason);
    return { signal: controller.signal, clear: () => undefined };
  }
  const onParent = () => {
    clear();
    controller.abort(parent?.reason);
  };
  const timer = Number.isFinite(deadline)
    ? setTimeout(
        () => {
          clear();
          controller.abort(new DOMException('The deadline passed.', 'TimeoutError'));
        },
        Math.min(remainingMs(deadline), maxTimerMs),
      )
    : undefined;
  const clear = () => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', onParent);
  };
  parent?.addEventListener('abort', onParent, { once: true });
  return { signal: controller.signal, clear };
}

/** Runs the work with a signal that aborts after `ms` milliseconds, or earlier with the parent's reason. */
export async function within<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  parent?: AbortSignal,
): Promise<T> {
  const { signal, clear } = deadlineSignal(deadlineIn(ms), parent);
  try {
    return await work(signal);
  } finally {
    clear();
  }
}

// A Node timer with a longer delay fires at once.
const maxTimerMs = 2 ** 31 - 1;

/** Data about one request that its code passes on to rules, stores and calls to other services. */
export interface CallContext {
  /** The caller's `x-request-id`, or a new one. */
  readonly requestId: string;
  /** The W3C `traceparent` of this call, to send on with further calls. */
  readonly traceparent: string | undefined;
  /** The time when the caller stops waiting. The default is 10 s for a unary call and `Infinity` for a stream. */
  readonly deadline: Deadline;
  /** Aborts at the deadline or when the caller cancels. For a stream it also aborts when the server drains. */
  readonly signal: AbortSignal;
  /** The time of the call by the clock of the service. It stays the same during the call. */
  readonly now: Date;
}

/** The call context of a background worker. It has a new request id and no deadline, since no caller waits. */
export function workerContext(signal: AbortSignal, now: Date): CallContext {
  return { requestId: randomUUID(), traceparent: undefined, deadline: Number.POSITIVE_INFINITY, signal, now };
}

/** Returns the current time. Tests pass their own clock. */
export type Clock = () => Date;

/** Estimates the difference between our clock and that of another process. It learns from the responses. */
export class RemoteClock {
  private ahead: number | undefined;
  private isSure = false;

  /** Converts our deadline to the time of the other clock; undefined before the first response. */
  at(deadline: Deadline): Date | undefined {
    return this.ahead === undefined || !this.isSure ? undefined : new Date(Math.ceil(deadline + this.ahead));
  }

  /**
   * The time of the other clock. After `forget` it goes on by the last estimate.
   *
   * @throws KnowledgeError `unavailable` before the first response, since our own clock may be wrong.
   */
  now(): Date {
    if (this.ahead !== undefined) return new Date(Math.floor(Date.now() + this.ahead));
    throw new KnowledgeError('unavailable', 'A part of the service does not answer; try again.', {
      retryAfterSeconds: 1,
    });
  }

  /**
   * Learns from the time `now` in a response. The true difference lies between `now - receivedAt` and `now - sentAt`.
   * The largest difference that fits all responses is used, so a deadline is never early, and late by at most one fast
   * round trip. A response that does not fit shows that a clock was changed; then the estimate starts again.
   */
  learn(now: Date | undefined, sentAt: number, receivedAt = Date.now()): void {
    if (now === undefined) return;
    const least = now.getTime() - receivedAt;
    const most = now.getTime() - sentAt;
    if (!this.isSure || this.ahead === undefined || this.ahead < least || this.ahead > most) this.ahead = most;
    this.isSure = true;
  }

  /** Call it when another process replaces the one that sent the responses. */
  forget(): void {
    this.isSure = false;
  }
}
