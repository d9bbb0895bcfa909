import type { RequestListener } from 'node:http';
import type { Config, httpServiceVariables } from '../config/read-config.js';
import { listenAt } from '../config/variable.js';
import { type Closable, pause } from '../lifecycle/promises.js';
import type { RunningProcess } from '../lifecycle/run-main.js';
import { createLogger, flushLog, type Logger } from '../log/logger.js';
import {
  type RequestWatch,
  startTelemetry,
  type Telemetry,
  type telemetryVariables,
  watchRequests,
} from '../telemetry/telemetry.js';
import { createConnections } from './connections.js';
import { requestIdOf, trustedProxies } from './request.js';
import { createServer, type EarlyResponses } from './server.js';

type HttpServiceConfig = Config<ReturnType<typeof httpServiceVariables> & typeof telemetryVariables>;

/** What every process that serves HTTP has. */
interface HttpServiceBase {
  readonly log: Logger;
  readonly telemetry: Telemetry;
  readonly watch: RequestWatch;
  /** Whether the process is about to stop. */
  readonly isDraining: () => boolean;
}

/** What the process itself makes of it; `close` ends all requests, then closes what they need. */
interface HttpServiceParts extends Closable {
  /** Listens, and returns the URL. */
  listen(host: string, port: number): Promise<string>;
  /** Answers a request that came on another port. */
  readonly handle: RequestListener;
}

/** Starts a process that serves HTTP; the services that it calls may start later. */
export async function startHttpService(
  name: string,
  address: string,
  config: HttpServiceConfig,
  compose: (base: HttpServiceBase) => Promise<HttpServiceParts>,
): Promise<RunningProcess> {
  const log = createLogger({ name, level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const telemetry = await startTelemetry(name, config, log);
  let draining = false;
  const parts = await compose({ log, telemetry, watch: watchRequests(telemetry), isDraining: () => draining });
  const listening = await listenAt(address, parts.listen);
  telemetry.answerProbes(parts.handle);
  const drainMs = config.DRAIN_DELAY_SECONDS * 1000;
  return {
    address: listening,
    log,
    drainMs,
    async close() {
      draining = true;
      await pause(drainMs);
      await parts.close();
      await telemetry.close();
      await flushLog(log);
    },
  };
}

interface HttpServerParts extends Pick<HttpServiceBase, 'log' | 'watch' | 'isDraining'> {
  readonly config: HttpServiceConfig;
  readonly fastPath?: EarlyResponses;
  /** How long a connection from anywhere but a listed proxy may wait for its next request. */
  readonly directKeepAliveMs?: number;
  /** How long a whole request may take to arrive (default 10 s). */
  readonly requestTimeoutMs?: number;
}

/** The server of a process, as options of Fastify, and what ends its connections. */
export function httpServerOf({ config, log, watch, isDraining, fastPath, ...times }: HttpServerParts) {
  const trustProxy = trustedProxies(config.TRUSTED_PROXIES);
  const connections = createConnections({
    max: config.MAX_CONNECTIONS,
    perNetwork: config.CONNECTIONS_PER_ADDRESS,
    isProxy: trustProxy,
    log,
    onRefused: watch.shed,
  });
  const { directKeepAliveMs, requestTimeoutMs } = times;
  const keepAliveMs = trustProxy === false ? directKeepAliveMs : undefined;
  const options = {
    genReqId: requestIdOf,
    trustProxy,
    return503OnClosing: false,
    serverFactory: (handler: RequestListener) =>
      createServer(handler, { connections, isDraining, isProxy: trustProxy, fastPath, keepAliveMs, requestTimeoutMs }),
    clientErrorHandler: connections.refuse,
  };
  return { options, endConnections: async () => connections.end() };
}
