/** What every operation of a store is given: it ends at the signal, and its time is the caller's. */
export interface Call {
  signal: AbortSignal;
  now: Date;
  /** The trace that the call belongs to, if that is recorded. */
  traceparent?: string | undefined;
}

/** The driver's types know a signal for reads alone; it acts on every operation. */
export function abortable({ signal }: { signal: AbortSignal }): object {
  return { signal };
}
