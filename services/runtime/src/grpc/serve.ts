import { promisify } from 'node:util';
import { type ChannelOptions, Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '../clock.js';
import { ConfigError } from '../config/config-error.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { type AccessList, createAccessCheck } from './access.js';
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

export interface ServeOptions {
  /** `host:port`; port 0 picks a free one. */
  address: string;
  services: readonly ServiceImplementation[];
  /** The dependencies of the process. It is ready when all of them work. */
  health: readonly HealthCheck[];
  log: Logger;
  /** The time of the calls (default: the system's). */
  clock?: Clock | undefined;
  /** Measures every call. */
  telemetry?: Telemetry | undefined;
  tls?: Tls | Certificates | undefined;
  /**
   * Who may call what under mutual TLS. Without this list any certificate of the authority may call everything. Without
   * mutual TLS callers have no names, and the network must keep strangers away.
   */
  access?: AccessList | undefined;
  /** Until this resolves, calls are refused with `unavailable`. */
  refuseUntil?: Promise<void>;
  /** A plaintext address that serves only `grpc.health.v1`, for probes without TLS; port 0 picks a free one. */
  healthAddress?: string | undefined;
  /** Allows an address beyond loopback without TLS, for a mesh that encrypts by itself. */
  plaintext?: boolean;
  /** Whether tools may list the services (default true). */
  reflection?: boolean;
  /** The largest request (default 256 KiB). Raise it only for long texts or large batches. */
  maxRequestBytes?: number;
  /** The most open calls of one connection (default 1,024). */
  maxConcurrentStreams?: number;
  /** The most open streams of one method and caller (default 2,000). */
  maxStreamsPerCaller?: number;
  /** Connections are closed after this time, so that callers also find new replicas (default 300 s). */
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
  /** `host:port` of the probes' own address, if there is one. */
  readonly healthAddress: string | undefined;
  /** Whether the server is ready, and which dependencies prevent it. */
  readiness(): { ready: boolean; failing: string[] };
  /** From now on health is NOT_SERVING; calls are still served. */
  setDraining(): void;
  /**
   * Becomes unready, takes no new calls, ends streams, lets running calls finish, and cuts off the rest at the limit.
   */
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
  const admit = options.access && isMutual(tls) ? createAccessCheck(options.access) : undefined;
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
    // This must come first: without channelz `forceShutdown` of grpc-js 1.14 does not cut anything off.
    server.drain(bound, limitMs);
    const stopped = promisify(server.tryShutdown.bind(server))();
    health.endWatches();
    const gone = new KnowledgeError('unavailable', 'The service is shutting down.', { retryAfterSeconds: 1 });
    for (const stream of streams) stream.abort(gone);
    const limit = setTimeout(() => log.warn('calls are still running; cutting them off'), limitMs);
    await stopped.catch((error: unknown) => log.warn({ err: error }, 'the server did not stop by itself'));
    clearTimeout(limit);
    // Closed last, so that probes get "not ready" instead of no response.
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
 * Bounds what one peer can keep open. A gateway sends all its calls over one connection and has at most about 2,000
 * requests open (SECURITY.md#http-edge). In normal times it needs about 200 streams (20,000 calls a second of 10 ms),
 * so 1,024 never make it queue. grpc-js sets no limit by itself (GHSA-m425-mq94-257g).
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

// Probes send small requests and need no certificate.
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

// If the probes cannot be served, the process does not start.
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
