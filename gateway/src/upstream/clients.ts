import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Logger } from '@knowledge/runtime';
import { connectGrpc, type GrpcClient, grpcTls, measureExpiry } from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { GatewayConfig } from '../config.js';

/** The connections to the four services. */
export interface Clients {
  readonly content: GrpcClient<typeof ContentServiceService>;
  readonly quota: GrpcClient<typeof QuotaServiceService>;
  readonly identity: GrpcClient<typeof IdentityServiceService>;
  readonly contributions: GrpcClient<typeof ContributionsServiceService>;
  close(): void;
}

/** Connects to the services; none needs to be up yet. */
export function createClients(config: GatewayConfig, log: Logger, telemetry: Telemetry): Clients {
  const tls = grpcTls(config, log);
  if (tls !== undefined) measureExpiry(tls, telemetry);
  const shared = { callerName: 'gateway', tls, deadlineMs: readMs, telemetry };
  const content = connectGrpc(ContentServiceService, { address: config.CONTENT_ADDRESS, ...shared });
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

/** How long a call that reads or counts may take, in milliseconds. */
export const readMs = 1_500;

// A write calls quota too, which may take 1.5 s. The deadline of the request still limits both to 3 s.
const writeMs = 2_500;
