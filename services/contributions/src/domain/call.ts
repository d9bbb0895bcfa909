import type { Deadline } from '@knowledge/runtime';

/** What every operation is given: it ends at the signal, and its time is the caller's. */
export interface Moment {
  signal: AbortSignal;
  now: Date;
}

/** A moment in a call, with what goes on to other services. */
export interface Call extends Moment {
  deadline: Deadline;
  requestId: string;
  traceparent: string | undefined;
}
