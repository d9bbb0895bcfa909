import { randomUUID } from 'node:crypto';
import type { Deadline } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
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

/** Makes the options of a gRPC call from a call context. */
export function callOptions({ id, deadline, traceparent }: CallContext): CallOptions {
  return { requestId: id, deadline, traceparent };
}

/**
 * Makes the options of a gRPC call that carries a batch. The call has its own request id, and a trace with links to the
 * traces of its items. If the batch has only one item, the call has the id and trace of that item.
 */
export function batchCallOptions(
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
