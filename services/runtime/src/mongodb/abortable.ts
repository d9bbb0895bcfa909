import type { OperationOptions } from 'mongodb';

/** Options with a signal that every operation takes, also those whose types do not say so. */
export type AbortableOptions = { readonly signal: AbortSignal } & Pick<OperationOptions, 'session'>;

/**
 * Options that end an operation of the driver at a signal, alone or spread into others: `{ upsert: true, ...abortable(signal) }`.
 * The types of driver 7.8 allow a signal for reads alone, its code honours one for every read and write; for the rest
 * (`createCollection`, `createIndexes`, `commitTransaction`) there is `orAbort`. An aborted write may still be applied.
 */
export function abortable(signal: AbortSignal): AbortableOptions {
  return { signal };
}
