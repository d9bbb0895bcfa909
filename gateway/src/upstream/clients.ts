import { randomUUID } from 'node:crypto';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Logger } from '@knowledge/runtime';
import { type CallOptions, connectGrpc, type GrpcClient, grpcTls, measureExpiry } from '@knowledge/runtime/grpc';
import { type Telemetry, unrecordedTraceparent } from '@knowledge/runtime/telemetry';
import type { Asker } from '../api/content.js';
import type { GatewayConfig } from '../config.js';

/** The connections to the four services. */
export interface Clients {
  readonly content: GrpcClient<typeof ContentServiceService>;
  readonly quota: GrpcClient<typeof QuotaServiceService>;
  readonly identity: GrpcClient<typeof IdentityServiceService>;
  readonly contributions: GrpcClient<typeof ContributionsServiceService>;
  close(): void;
}

/** Connects to the services; none needs to be up. */
export function createClients(config: GatewayConfig, log: Logger, telemetry: Telemetry): Clients {
  const tls = grpcTls(config, log);
  if (tls !== undefined) measureExpiry(tls, telemetry);
  const shared = { callerName: 'gateway', tls, deadlineMs: readMs, telemetry };
  const content = connectGrpc(ContentServiceService, { address: config.CONTENT_ADDRESS, ...shared, maxReceiveBytes });
  const quota = connectGrpc(QuotaServiceService, { address: config.QUOTA_ADDRESS, ...shared });
  const identity = connectGrpc(IdentityServiceService, {
    address: config.IDENTITY_ADDRESS,
    ...shared,
    deadlineMs: writeMs,
  });
  const contributions = connectGrpc(ContributionsServiceService, {
    address: config.CONTRIBUTIONS_ADDRESS,
    ...shared,
    deadlineMs: writeMs,
  });
  return {
    content,
    quota,
    identity,
    contributions,
    close() {
      for (const client of [content, quota, identity, contributions]) client.close();
    },
  };
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

/** So long a call takes at most that reads or counts. */
export const readMs = 1_500;

// A write asks quota on its way, within 1.5 s of its own; 3 s in all are kept by each request's deadline.
const writeMs = 2_500;

// More than any answer has: content ends an answer of articles at 3.5 MB.
const maxReceiveBytes = 64 * 1024 * 1024;
