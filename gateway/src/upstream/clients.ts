import { HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Logger } from '@knowledge/runtime';
import { connectGrpc, type Definition, loadGrpcCertificates, measureExpiry } from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { GatewayConfig } from '../config.js';

/** The clients of the four services. */
export type Clients = ReturnType<typeof createClients>;

/** Creates the clients. The services may start later. */
export function createClients(config: GatewayConfig, log: Logger, telemetry: Telemetry) {
  const tls = loadGrpcCertificates(config, log);
  if (tls !== undefined) measureExpiry(tls, telemetry);
  const opened: { close(): void }[] = [];
  const connect = <D extends Definition>(definition: D, address: string, own: OwnOptions = {}) => {
    const options = { address, callerName: 'gateway', tls, deadlineMs: readMs, telemetry, ...own };
    const client = connectGrpc(definition, options);
    opened.push(client);
    return client;
  };
  const healthAt = (address: string) => connect(HealthService, address, { telemetry: undefined });
  return {
    content: connect(ContentServiceService, config.CONTENT_ADDRESS),
    search: connect(SearchServiceService, config.CONTENT_ADDRESS),
    searchCounts: connect(SearchCountServiceService, config.CONTENT_ADDRESS),
    quota: connect(QuotaServiceService, config.QUOTA_ADDRESS),
    identity: connect(IdentityServiceService, config.IDENTITY_ADDRESS, { deadlineMs: writeMs }),
    contributions: connect(ContributionsServiceService, config.CONTRIBUTIONS_ADDRESS, { deadlineMs: writeMs }),
    /** Tells whether a service can do its work. */
    health: {
      content: healthAt(config.CONTENT_ADDRESS),
      quota: healthAt(config.QUOTA_ADDRESS),
      identity: healthAt(config.IDENTITY_ADDRESS),
      contributions: healthAt(config.CONTRIBUTIONS_ADDRESS),
    },
    close() {
      for (const client of opened) client.close();
    },
  };
}

type OwnOptions = Partial<Pick<Parameters<typeof connectGrpc>[1], 'deadlineMs' | 'telemetry'>>;

/** The time limit for a call that reads or counts, in milliseconds. */
export const readMs = 1_500;

// A write also calls quota, which may take 1.5 s. The request's deadline limits the sum of both to 3 s.
const writeMs = 2_500;
