import { randomUUID } from 'node:crypto';
import type { Status } from '@knowledge/proto/google/rpc/status';
import type { ItemContext } from '@knowledge/proto/knowledge/common/v1/common';
import { Batcher, type BatcherOptions, type Deadline, KnowledgeError, remainingMs } from '@knowledge/runtime';
import { type CallOptions, fromStatus } from '@knowledge/runtime/grpc';
import { clientAddressOf, networksOf } from '@knowledge/runtime/http';
import { unrecordedTraceparent } from '@knowledge/runtime/telemetry';
import type { FastifyRequest } from 'fastify';

/** The facts about a request that the gateway sends to each service. */
export interface CallContext {
  readonly id: string;
  readonly deadline: Deadline;
  /** The `traceparent` header for the request's trace. */
  readonly traceparent?: string | undefined;
  /** Returns the networks of the client, the widest first. They take turns in the limit of searches. */
  readonly networks?: () => readonly string[];
}

export function callContextOf(request: FastifyRequest): CallContext {
  const { id, deadline, watched } = request;
  return { id, deadline, traceparent: watched.traceparent, networks: () => networksOf(clientAddressOf(request)) };
}

/** Makes the options of a gRPC call from a request. */
export function callOf(request: FastifyRequest): CallOptions {
  return callOptions(callContextOf(request));
}

/** Makes the options of a gRPC call from a call context. */
export function callOptions({ id, deadline, traceparent }: CallContext): CallOptions {
  return { requestId: id, deadline, traceparent };
}

/**
 * Makes the options of a gRPC call that carries a batch. The call has its own request id, and a trace with links to the
 * traces of its items. If the batch has only one item, the call has the id and trace of that item.
 */
function batchCallOptions(
  items: readonly { readonly context?: { readonly requestId: string; readonly traceparent: string } | undefined }[],
): Pick<CallOptions, 'requestId' | 'traceparent' | 'batchedTraceparents'> {
  const contexts = items.flatMap(({ context }) => context ?? []);
  const [lone] = contexts;
  if (items.length === 1 && lone !== undefined) {
    return { requestId: lone.requestId, traceparent: lone.traceparent || undefined };
  }
  const batchedTraceparents = contexts.flatMap(({ traceparent }) => traceparent || []);
  return { requestId: `batch-${randomUUID()}`, traceparent: unrecordedTraceparent(), batchedTraceparents };
}

/** Settings for batching the calls of many requests into one call. */
interface CallBatcherOptions<Item, Result>
  extends Pick<BatcherOptions<Item, Result>, 'maxItems' | 'gather' | 'beside'> {
  /** Sends one call with all items. Resolves to a result or an Error for each item, in the order of the items. */
  readonly send: (items: Item[], options: CallOptions) => Promise<readonly (Result | Error)[]>;
}

/** Batches calls to one method of a service. At most two batches run at once; a failed one is sent again in halves. */
export function createCallBatcher<Item extends BatchItem, Result>({
  send,
  ...options
}: CallBatcherOptions<Item, Result>): Batcher<Item, Result> {
  return new Batcher<Item, Result>({
    send: (items, { deadline, signal }) => send(items, { ...batchCallOptions(items), deadline, signal }),
    maxInFlight: 2,
    repeatable: true,
    ...options,
  });
}

interface BatchItem {
  readonly context: ItemContext | undefined;
}

/** Converts a call context to the part that an item of a batch carries. */
export function itemContext({ id, deadline, traceparent = '' }: CallContext): ItemContext {
  const left = Math.round(remainingMs(deadline));
  const timeout = { seconds: Math.floor(left / 1000), nanos: (left % 1000) * 1_000_000 };
  return { requestId: id, traceparent, timeout };
}

/** A part of a response that its service always sends, although its type does not say so. */
export function required<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new KnowledgeError('internal_error', 'A part of the response of a service is missing.');
  return part;
}

interface ItemError {
  readonly $case: 'error';
  readonly value: Status;
}

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
