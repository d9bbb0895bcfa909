/** What every operation of a store is given: it ends at the signal, and its time is the caller's. */
export interface Call {
  signal: AbortSignal;
  now: Date;
}
