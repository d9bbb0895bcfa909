import { HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Logger } from '@knowledge/runtime';
import { connectGrpc, type GrpcClient, loadGrpcCertificates, measureExpiry } from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { GatewayConfig } from '../config.js';

export interface Clients {
  readonly content: GrpcClient<typeof ContentServiceService>;
  /** The search of the content service. */
  readonly search: GrpcClient<typeof SearchServiceService>;
  readonly searchCounts: GrpcClient<typeof SearchCountServiceService>;
  readonly quota: GrpcClient<typeof QuotaServiceService>;
  readonly identity: GrpcClient<typeof IdentityServiceService>;
  readonly contributions: GrpcClient<typeof ContributionsServiceService>;
  /** Tells whether a service can do its work. */
  readonly health: Readonly<
    Record<'content' | 'quota' | 'identity' | 'contributions', GrpcClient<typeof HealthService>>
  >;
  close(): void;
}

/** Creates clients for the four services. The services may start later. */
export function createClients(config: GatewayConfig, log: Logger, telemetry: Telemetry): Clients {
  const tls = loadGrpcCertificates(config, log);
  if (tls !== undefined) measureExpiry(tls, telemetry);
  const shared = { callerName: 'gateway', tls, deadlineMs: readMs, telemetry };
  const content = connectGrpc(ContentServiceService, { address: config.CONTENT_ADDRESS, ...shared });
  const search = connectGrpc(SearchServiceService, { address: config.CONTENT_ADDRESS, ...shared });
  const searchCounts = connectGrpc(SearchCountServiceService, { address: config.CONTENT_ADDRESS, ...shared });
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
  const healthAt = (address: string) => connectGrpc(HealthService, { address, ...shared, telemetry: undefined });
  const health = {
    content: healthAt(config.CONTENT_ADDRESS),
    quota: healthAt(config.QUOTA_ADDRESS),
    identity: healthAt(config.IDENTITY_ADDRESS),
    contributions: healthAt(config.CONTRIBUTIONS_ADDRESS),
  };
  return {
    content,
    search,
    searchCounts,
    quota,
    identity,
    contributions,
    health,
    close() {
      const clients = [content, search, searchCounts, quota, identity, contributions, ...Object.values(health)];
      for (const client of clients) client.close();
    },
  };
}

/** The time limit for a call that reads or counts, in milliseconds. */
export const readMs = 1_500;

// A write also calls quota, which may take 1.5 s. The request's deadline limits the sum of both to 3 s.
const writeMs = 2_500;
