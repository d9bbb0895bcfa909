import { StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Environment, Logger, RunningProcess } from '@knowledge/runtime';
import {
  connectGrpc,
  type Definition,
  type GrpcClient,
  loadGrpcCertificates,
  measureExpiry,
} from '@knowledge/runtime/grpc';
import { startHttpService } from '@knowledge/runtime/http';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import { perService, type ServiceName, withContext } from '../base/services.js';
import { type DeskConfig, readDeskConfig } from '../pages/config.js';
import { createProvider } from '../pages/provider.js';
import { callOf } from '../pages/session.js';
import { createCookies } from '../pages/staff.js';
import type { WebDesk } from '../pages/web-desk.js';
import { createApp } from './app.js';

/** Starts the web desk; services and provider may start later. Throws a ConfigError for a wrong configuration. */
export async function start(env: Environment): Promise<RunningProcess> {
  const config = readDeskConfig(env);
  return startHttpService('desk', config.DESK_ADDRESS, config, async ({ log, telemetry, watch, isDraining }) => {
    const clients = createClients(config, log, telemetry);
    const desk: WebDesk = {
      config,
      log,
      watch,
      cookies: createCookies(config),
      provider: createProvider(config),
      sessions: clients.connect('identity', StaffSessionServiceService),
      connect: clients.connect,
      calls: (service, definition) => (request) =>
        withContext(clients.connect(service, definition), () => callOf(request)),
    };
    const app = await createApp(desk, isDraining);
    return {
      listen: (host, port) => app.listen({ host, port }),
      handle: app.routing,
      async close() {
        await app.close();
        clients.close();
      },
    };
  });
}

/** The longest call. A page asks for less: `ownCall` has its deadline. */
const deadlineMs = 30_000;

/** The connections to the four services, which may start later. */
function createClients(config: DeskConfig, log: Logger, telemetry: Telemetry) {
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
