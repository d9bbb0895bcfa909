import { randomUUID } from 'node:crypto';
import type { Deadline } from './deadline.js';

/** What goes with a call through rules, stores and on to other services; each takes the part that it needs. */
export interface CallContext {
  /** The caller's `x-request-id`, or a new one. */
  readonly requestId: string;
  /** The trace that the call belongs to, as in W3C Trace Context: what to hand on to others. */
  readonly traceparent: string | undefined;
  /** When the caller stops waiting. A unary call without a deadline gets 10 s; a stream may have none (`Infinity`). */
  readonly deadline: Deadline;
  /** Aborts at the deadline, when the caller cancels, and for streams when the server drains. */
  readonly signal: AbortSignal;
  /** The time of the call by the clock of its service; it stays the same throughout the call. */
  readonly now: Date;
}

/** The call context of what a worker does: nobody called, so it has a request id of its own and no deadline. */
export function workerContext(signal: AbortSignal, now: Date): CallContext {
  return { requestId: randomUUID(), traceparent: undefined, deadline: Number.POSITIVE_INFINITY, signal, now };
}
