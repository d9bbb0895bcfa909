import { StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import {
  createLogger,
  type Environment,
  flushLog,
  type Logger,
  listenAt,
  type RunningProcess,
} from '@knowledge/runtime';
import {
  connectGrpc,
  type Definition,
  type GrpcClient,
  loadGrpcCertificates,
  measureExpiry,
} from '@knowledge/runtime/grpc';
import { startTelemetry, type Telemetry, watchRequests } from '@knowledge/runtime/telemetry';
import { perService, type ServiceName, withContext } from '../services.js';
import { createApp } from './app.js';
import { type DeskConfig, readDeskConfig } from './config.js';
import { createProvider } from './provider.js';
import { callOf } from './session.js';
import { createCookies } from './staff.js';
import type { WebDesk } from './web-desk.js';

/** Starts the web desk; services and provider may start later. Throws a ConfigError for a wrong configuration. */
export async function start(env: Environment): Promise<RunningProcess> {
  const config = readDeskConfig(env);
  const log = createLogger({ name: 'desk', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const telemetry = await startTelemetry('desk', config, log);
  const clients = createClients(config, log, telemetry);
  let draining = false;
  const desk: WebDesk = {
    config,
    log,
    watch: watchRequests(telemetry),
    cookies: createCookies(config),
    provider: createProvider(config),
    sessions: clients.connect('identity', StaffSessionServiceService),
    connect: clients.connect,
    calls: (service, definition) => (request) =>
      withContext(clients.connect(service, definition), () => callOf(request)),
  };
  const app = await createApp(desk, () => draining);
  const address = await listenAt(config.DESK_ADDRESS, (host, port) => app.listen({ host, port }));
  return {
    address,
    log,
    async close() {
      draining = true;
      await new Promise((resolve) => setTimeout(resolve, config.DRAIN_DELAY_SECONDS * 1000));
      await app.close();
      clients.close();
      await telemetry.close();
      await flushLog(log);
    },
  };
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
    connect<D extends Definition>(service: ServiceName, definition: D): GrpcClient<D> {
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
