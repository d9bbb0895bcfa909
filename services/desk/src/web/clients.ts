import type { Logger } from '@knowledge/runtime';
import {
  connectGrpc,
  type Definition,
  type GrpcClient,
  loadGrpcCertificates,
  measureExpiry,
} from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import { perService, type ServiceName } from '../connection/services.js';
import type { DeskConfig } from './settings/config.js';

/** The connections to the four services. The services may start later. */
export interface Clients {
  /** Gives the client of one gRPC service; the same client each time. */
  connect<D extends Definition>(service: ServiceName, definition: D): GrpcClient<D>;
  close(): void;
}

/** The longest call. A page asks for less: `ownCall` has its deadline. */
const deadlineMs = 30_000;

export function createClients(config: DeskConfig, log: Logger, telemetry: Telemetry): Clients {
  const tls = loadGrpcCertificates(config, log);
  if (tls !== undefined) measureExpiry(tls, telemetry);
  const addresses = perService((name) => config[`${name.toUpperCase() as Uppercase<ServiceName>}_ADDRESS`]);
  const shared = { callerName: 'web-desk', tls, deadlineMs, telemetry };
  // Two services may serve one definition.
  const clients = perService(() => new Map<Definition, { close(): void }>());
  return {
    connect<D extends Definition>(service: ServiceName, definition: D) {
      const own = clients[service];
      const client = own.get(definition) ?? connectGrpc(definition, { address: addresses[service], ...shared });
      own.set(definition, client);
      return client as GrpcClient<D>;
    },
    close() {
      for (const own of Object.values(clients)) for (const client of own.values()) client.close();
    },
  };
}
