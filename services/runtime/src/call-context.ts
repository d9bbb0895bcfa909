import { randomUUID } from 'node:crypto';
import type { Deadline } from './deadline.js';

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
