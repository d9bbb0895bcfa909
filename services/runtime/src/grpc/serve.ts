import { promisify } from 'node:util';
import { type ChannelOptions, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '../clock.js';
import { ConfigError } from '../config/config-error.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { type AccessList, admission } from './access.js';
import { Certificates } from './certificates.js';
import type { ServerCallContext } from './context.js';
import { FailureLog } from './failure-log.js';
import { addHealth, type HealthCheck, Readiness } from './health.js';
import type { ServiceImplementation } from './implement.js';
import { hostOf, isLoopback } from './loopback.js';
import type { Tls } from './pem.js';
import { addReflection } from './reflection.js';
import { StreamCount } from './stream-count.js';
import { isMutual, measureExpiry, serverCredentials } from './tls.js';
import { type AnyHandler, logCalls, refuseUntil } from './wrap-handler.js';

/** How a gRPC server is made. */
export interface ServeOptions {
  /** `host:port`; port 0 picks a free one. */
  address: string;
  services: readonly ServiceImplementation[];
  /** What the process depends on; it is ready when all of it answers. */
  health: readonly HealthCheck[];
  log: Logger;
  /** The time of the calls (default: the system's). */
  clock?: Clock | undefined;
  /** Told of every call. */
  telemetry?: Telemetry | undefined;
  tls?: Tls | Certificates | undefined;
  /**
   * Under mutual TLS: who may call what. Without it every certificate of the authority may call everything. Without
   * mutual TLS callers have no names, and it is for the network to keep strangers away.
   */
  access?: AccessList | undefined;
  /** Until this resolves, calls are refused with `unavailable`. */
  refuseUntil?: Promise<void>;
  /** Where `grpc.health.v1` alone is served in plaintext, for probes that know no TLS; port 0 picks a free one. */
  healthAddress?: string | undefined;
  /** Allows an address beyond loopback without TLS, for a mesh that encrypts by itself. */
  plaintext?: boolean;
  /** Whether tools may ask what is served (default true). */
  reflection?: boolean;
  /** The largest request (default 256 KiB); more only where a call carries long texts or the items of many. */
  maxRequestBytes?: number;
  /** How many calls one connection may have open (default 1,024). */
  maxConcurrentStreams?: number;
  /** How many streams of one method one caller may have open (default 2,000). */
  maxStreamsPerCaller?: number;
  /** After this time a connection is asked to come again, so that new replicas get their share (default 300 s). */
  maxConnectionAgeSeconds?: number;
  /** How long `close` stays unready, but serving, before it stops taking calls (default 0). */
  drainDelaySeconds?: number;
  /** How long `close` waits for running calls (default 10 s). */
  closeLimitSeconds?: number;
}

/** A gRPC server that runs. */
export interface GrpcServer {
  /** `host:port` with the real port. */
  readonly address: string;
  /** The same of the probes' own address, if there is one. */
  readonly healthAddress: string | undefined;
  /** Whether it is ready, and the names of the dependencies that keep it from being so. */
  readiness(): { ready: boolean; failing: string[] };
  /** Health says NOT_SERVING from now on; calls are still served. */
  setDraining(): void;
  /** Drains: not ready, then no new calls, streams ended, running calls finished, the rest cut off at the limit. */
  close(): Promise<void>;
}

/**
 * Serves gRPC with health (`grpc.health.v1`: "", "readiness", "liveness" and every service by name) and reflection.
 *
 * @throws ConfigError for an address beyond loopback with neither TLS nor `plaintext`.
 */
export async function serveGrpc(options: ServeOptions): Promise<GrpcServer> {
  const { address, services, log, telemetry, tls } = options;
  const host = hostOf(address);
  if (tls === undefined && options.plaintext !== true && !isLoopback(host)) {
    throw new ConfigError([`GRPC_ADDRESS is ${address}: beyond loopback gRPC needs TLS or GRPC_PLAINTEXT=true.`]);
  }
  const credentials = serverCredentials(tls);
  const server = new Server(serverOptions(options));
  const probes = options.healthAddress === undefined ? undefined : new Server(probeOptions);
  const streams = new Set<ServerCallContext>();
  const open = new StreamCount(options.maxStreamsPerCaller ?? 2000);
  const failures = new FailureLog();
  if (tls !== undefined && !isMutual(tls)) log.warn('TLS without GRPC_TLS_CA: callers are not asked who they are');
  if (telemetry !== undefined && tls instanceof Certificates) measureExpiry(tls, telemetry);
  const admit = options.access && isMutual(tls) ? admission(options.access) : undefined;
  const clock = options.clock ?? (() => new Date());
  const refusing = refuseUntil(options.refuseUntil);
  const wrap = (handler: AnyHandler): AnyHandler => refusing(logCalls(handler, log));
  for (const service of services)
    server.addService(
      service.definition,
      service.bind({ log, clock, telemetry, failures, streams, open, admit, wrap }),
    );
  const names = services.map((service) => service.name);
  const health = await addHealth(probes === undefined ? [server] : [server, probes], names);
  if (options.reflection !== false) await addReflection(server, names, admit);

  const bound = await bind(server, address, credentials);
  const boundProbes = probes && (await bindProbes(probes, options.healthAddress, server));
  const readiness = new Readiness(options.health, log, (ready, failing) => {
    log.info({ ready, failing }, 'readiness');
    health.setReady(ready);
  });

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    readiness.drain();
    await pause((options.drainDelaySeconds ?? 0) * 1000);
    readiness.close();
    const limitMs = (options.closeLimitSeconds ?? 10) * 1000;
    // First of all: without channelz `forceShutdown` of grpc-js 1.14 cuts nothing off, and nothing does once they close.
    server.drain(bound, limitMs);
    const stopped = promisify(server.tryShutdown.bind(server))();
    health.endWatches();
    const gone = new KnowledgeError('unavailable', 'The service is shutting down.', { retryAfterSeconds: 1 });
    for (const stream of streams) stream.abort(gone);
    const limit = setTimeout(() => log.warn('calls are still running; cutting them off'), limitMs);
    await stopped.catch((error: unknown) => log.warn({ err: error }, 'the server did not stop by itself'));
    clearTimeout(limit);
    // To the last, so that a probe hears "not ready" rather than nothing.
    if (boundProbes !== undefined) probes?.drain(boundProbes, 0);
    probes?.forceShutdown();
  };
  return {
    address: bound,
    healthAddress: boundProbes,
    readiness: () => ({ ready: readiness.ready, failing: readiness.failing }),
    setDraining: () => readiness.drain(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * One gateway multiplexes all of its calls on one connection, batched or not, and keeps at most some 2,000 requests open
 * (SECURITY.md#http-edge); 1,024 streams never make it queue in normal times (20,000 calls a second of 10 ms are 200)
 * and still bound what one peer can hold open. grpc-js sets no limit by itself (GHSA-m425-mq94-257g).
 */
const defaultMaxConcurrentStreams = 1024;

function serverOptions(options: ServeOptions): ChannelOptions {
  return {
    'grpc.max_receive_message_length': options.maxRequestBytes ?? 256 * 1024,
    'grpc.max_send_message_length': 4 * 1024 * 1024,
    'grpc.max_concurrent_streams': options.maxConcurrentStreams ?? defaultMaxConcurrentStreams,
    'grpc.max_connection_age_ms': (options.maxConnectionAgeSeconds ?? 300) * 1000,
    'grpc.max_connection_age_grace_ms': 20_000,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5000,
    'grpc.enable_channelz': 0,
  };
}

// Probes ask little and are not asked who they are.
const probeOptions: ChannelOptions = {
  'grpc.max_receive_message_length': 4096,
  'grpc.max_concurrent_streams': 16,
  'grpc.max_connection_age_ms': 300_000,
  'grpc.enable_channelz': 0,
};

async function bind(server: Server, address: string, credentials: ServerCredentials): Promise<string> {
  const host = hostOf(address);
  const port = await promisify(server.bindAsync.bind(server))(address, credentials);
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

// A process that cannot be probed does not start at all.
async function bindProbes(probes: Server, address = '', server: Server): Promise<string> {
  try {
    return await bind(probes, address, ServerCredentials.createInsecure());
  } catch (error) {
    server.forceShutdown();
    throw error;
  }
}

function pause(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
