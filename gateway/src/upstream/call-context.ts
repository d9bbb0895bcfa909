import { randomUUID } from 'node:crypto';
import type { Deadline } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { unrecordedTraceparent } from '@knowledge/runtime/telemetry';
import type { FastifyRequest } from 'fastify';

/** The facts about a request that go to every service that it calls. */
export interface CallContext {
  readonly id: string;
  readonly deadline: Deadline;
  /** The trace of the request. */
  readonly traceparent?: string | undefined;
}

/** The call context of an HTTP request. */
export function callContextOf(request: FastifyRequest): CallContext {
  return { id: request.id, deadline: request.deadline, traceparent: request.watched.traceparent };
}

/** The options of a gRPC call for one request. */
export function callOptions({ id, deadline, traceparent }: CallContext): CallOptions {
  return { requestId: id, deadline, traceparent };
}

/**
 * The options of a gRPC call that carries a batch. The call has its own id and trace, linked to those of its items; a lone
 * item keeps its own.
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
