import type { OperationOptions } from 'mongodb';

/** Driver options with an abort signal. The driver's types do not list the signal for every operation. */
export type AbortableOptions = { readonly signal: AbortSignal } & Pick<OperationOptions, 'session'>;

/**
 * Options that end a driver operation when the signal aborts. Spread them into others: `{ upsert: true,
 * ...abortable(signal) }`. Driver 7.8 types the signal only for reads, but its code obeys it for all reads and writes.
 * For other operations (`createCollection`, `createIndexes`, `commitTransaction`) use `orAbort`. The server may still
 * apply an aborted write.
 */
export function abortable(signal: AbortSignal): AbortableOptions {
  return { signal };
}
