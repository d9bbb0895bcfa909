import { StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { createLogger, type Environment, flushLog, listenAt, type RunningProcess } from '@knowledge/runtime';
import { startTelemetry, watchRequests } from '@knowledge/runtime/telemetry';
import { createApp } from './app.js';
import { createClients } from './clients.js';
import { createProvider } from './oidc/provider.js';
import { readDeskConfig } from './settings/config.js';
import { createCookies } from './staff/cookies.js';

/** Starts the web desk; services and provider may start later. Throws a ConfigError for a wrong configuration. */
export async function start(env: Environment): Promise<RunningProcess> {
  const config = readDeskConfig(env);
  const log = createLogger({ name: 'desk', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const telemetry = await startTelemetry('desk', config, log);
  const clients = createClients(config, log, telemetry);
  let draining = false;
  const desk = {
    config,
    log,
    watch: watchRequests(telemetry),
    cookies: createCookies(config),
    provider: createProvider(config),
    sessions: clients.connect('identity', StaffSessionServiceService),
    connect: clients.connect,
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
