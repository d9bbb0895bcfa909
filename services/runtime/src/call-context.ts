import { randomUUID } from 'node:crypto';
import type { Deadline } from './deadline.js';

/** What travels with a request through rules, stores and calls to other services. */
export interface CallContext {
  /** The caller's `x-request-id`, or a new one. */
  readonly requestId: string;
  /** The trace of the call, as a W3C `traceparent` to send on with further calls. */
  readonly traceparent: string | undefined;
  /** When the caller stops waiting. A unary call without a deadline gets 10 s; a stream may have none (`Infinity`). */
  readonly deadline: Deadline;
  /** Aborts at the deadline, when the caller cancels, and for streams when the server drains. */
  readonly signal: AbortSignal;
  /** The time of the call by the clock of its service. It does not change during the call. */
  readonly now: Date;
}

/** The call context of a worker. Since there is no caller, it has a new request id and no deadline. */
export function workerContext(signal: AbortSignal, now: Date): CallContext {
  return { requestId: randomUUID(), traceparent: undefined, deadline: Number.POSITIVE_INFINITY, signal, now };
}
