import type { OperationOptions } from 'mongodb';

/** Options with a signal, accepted also by operations whose types do not list one. */
export type AbortableOptions = { readonly signal: AbortSignal } & Pick<OperationOptions, 'session'>;

/**
 * Options that end a driver operation when a signal aborts; spread them into others: `{ upsert: true,
 * ...abortable(signal) }`. The types of driver 7.8 allow a signal for reads only, but its code honours it for all reads
 * and writes. For the rest (`createCollection`, `createIndexes`, `commitTransaction`) use `orAbort`. An aborted write
 * may still be applied.
 */
export function abortable(signal: AbortSignal): AbortableOptions {
  return { signal };
}
