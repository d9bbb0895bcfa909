import type { Status } from '@knowledge/proto/google/rpc/status';
import type { ItemContext } from '@knowledge/proto/knowledge/common/v1/common';
import { type Batcher, createBatcher, KnowledgeError, remainingMs } from '@knowledge/runtime';
import { type CallOptions, fromStatus } from '@knowledge/runtime/grpc';
import { batchCallOptions, type CallContext } from './call-context.js';

/** How the calls of many requests are sent as one. */
interface CallBatcherOptions<Item, Result> {
  /** Makes one call for all items; resolves to a result or an Error for each, in their order. */
  readonly send: (items: Item[], options: CallOptions) => Promise<readonly (Result | Error)[]>;
  /** With this many of the longest items, the request must not exceed the service's bounds. */
  readonly maxItems: number;
}

/** Batches calls to one method of a service. Two batches may run at once; a failed one is sent again in halves. */
export function createCallBatcher<Item extends BatchItem, Result>({
  send,
  maxItems,
}: CallBatcherOptions<Item, Result>): Batcher<Item, Result> {
  return createBatcher<Item, Result>({
    send: (items, { deadline, signal }) => send(items, { ...batchCallOptions(items), deadline, signal }),
    maxItems,
    maxInFlight: 2,
    repeatable: true,
  });
}

interface BatchItem {
  readonly context: ItemContext | undefined;
}

/** The part of the call context that each item of a batch carries. */
export function itemContext({ id, deadline, traceparent = '' }: CallContext): ItemContext {
  const left = Math.round(remainingMs(deadline));
  const timeout = { seconds: Math.floor(left / 1000), nanos: (left % 1000) * 1_000_000 };
  return { requestId: id, traceparent, timeout };
}

interface ItemError {
  readonly $case: 'error';
  readonly value: Status;
}

/** Returns the outcome of an item, or throws its error. */
export function requireOutcome<Outcome extends { readonly $case: string }>(
  outcome: Outcome | ItemError | undefined,
): Exclude<Outcome, ItemError> {
  if (outcome === undefined)
    throw new KnowledgeError('internal_error', 'An item of a batch came back without an outcome.');
  if (isError(outcome)) throw fromStatus(outcome.value);
  return outcome as Exclude<Outcome, ItemError>;
}

function isError(outcome: { readonly $case: string } | ItemError): outcome is ItemError {
  return outcome.$case === 'error';
}
