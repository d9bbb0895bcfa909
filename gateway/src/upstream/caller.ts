import { randomUUID } from 'node:crypto';
import type { Deadline } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { unrecordedTraceparent } from '@knowledge/runtime/telemetry';
import type { FastifyRequest } from 'fastify';

/** On whose behalf something is asked. */
export interface Asker {
  readonly id: string;
  readonly deadline: Deadline;
  /** The trace of the request. */
  readonly traceparent?: string | undefined;
}

/** On whose behalf the services are asked. */
export function askerOf(request: FastifyRequest): Asker {
  return { id: request.id, deadline: request.deadline, traceparent: request.watched.traceparent };
}

/** What goes with a call on behalf of somebody. */
export function callFor({ id, deadline, traceparent }: Asker): CallOptions {
  return { requestId: id, deadline, traceparent };
}

/**
 * What goes with a call that carries items of several requests: an id and a trace of its own, with links to theirs. No
 * caller's header speaks for the others. A lone item keeps its own.
 */
export function together(
  items: readonly { readonly context?: { readonly requestId: string; readonly traceparent: string } | undefined }[],
): Pick<CallOptions, 'requestId' | 'traceparent' | 'alongside'> {
  const contexts = items.flatMap(({ context }) => context ?? []);
  const [lone] = contexts;
  if (items.length === 1 && lone !== undefined) {
    return { requestId: lone.requestId, traceparent: lone.traceparent || undefined };
  }
  const alongside = contexts.flatMap(({ traceparent }) => traceparent || []);
  return { requestId: `batch-${randomUUID()}`, traceparent: unrecordedTraceparent(), alongside };
}
