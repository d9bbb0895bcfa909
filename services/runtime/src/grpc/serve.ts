import { promisify } from 'node:util';
import { type ChannelOptions, Server, ServerCredentials } from '@grpc/grpc-js';
import { type Config, ConfigError, type grpcServerVariables, isLoopback } from '../config/read-config.js';
import { joinAddress, listenAt, splitAddress } from '../config/variable.js';
import type { Clock } from '../deadline.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { pause } from '../lifecycle/promises.js';
import type { Logger } from '../log/logger.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { type AccessList, createAccessCheck, readAccess } from './access.js';
import { Certificates, type Tls } from './certificates.js';
import type { ServerCallContext } from './context.js';
import { addHealth, type HealthCheck, Readiness } from './health.js';
import type { ServiceImplementation } from './implement.js';
import { addReflection } from './reflection.js';
import { FailureLog } from './status.js';
import { type GrpcTlsConfig, isMutual, measureExpiry, serverCredentials } from './tls.js';
import { type AnyHandler, logCalls, refuseUntil, StreamCount } from './wrap-handler.js';

export interface ServeOptions {
  /** `host:port`; port 0 selects a free port. */
  address: string;
  services: readonly ServiceImplementation[];
  /** The dependencies of the process. The process is ready when all of them work. */
  health: readonly HealthCheck[];
  /** When this resolves, the dependencies are checked at once, so that a start does not wait for the next second. */
  complete?: Promise<void>;
  log: Logger;
  /** The clock for the time of calls (default: the system clock). */
  clock?: Clock | undefined;
  /** Measures every call, if set. */
  telemetry?: Telemetry | undefined;
  tls?: Tls | Certificates | undefined;
  /**
   * The access list. Without it, every certificate of the authority may call everything. Without mutual TLS callers have
   * no names, only the roles that a call carries count, and the network must keep other programs away.
   */
  access?: AccessList | undefined;
  /** Calls are refused with `unavailable` until this promise resolves. */
  refuseUntil?: Promise<void>;
  /** A plaintext address that serves only `grpc.health.v1`, for probes without TLS; port 0 selects a free port. */
  healthAddress?: string | undefined;
  /** Allows an address beyond loopback without TLS, for a mesh that encrypts by itself. */
  plaintext?: boolean;
  /** Whether tools may list the services (default true). */
  reflection?: boolean;
  /** The largest request in bytes (default 256 KiB). Raise it only for long texts or large batches. */
  maxRequestBytes?: number;
  /** The largest number of streams that one caller may open for one method (default 2,000). */
  maxStreamsPerCaller?: number;
  /** Connections are closed after this time, so that callers also find new replicas (default 300 s). */
  maxConnectionAgeSeconds?: number;
  /** The time in which `close` reports "not ready" but still serves calls (default 0). */
  drainDelaySeconds?: number;
  /** The longest time for which `close` waits for running calls (default 10 s). */
  closeLimitSeconds?: number;
}

/** A running gRPC server. */
export interface GrpcServer {
  /** `host:port` with the actual port. */
  readonly address: string;
  /** `host:port` of the separate address for probes, if there is one. */
  readonly healthAddress: string | undefined;
  /**
   * Reports "not ready", accepts no new calls, ends streams and waits for running calls. At the limit it cuts off the
   * calls that still run.
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
  if (tls === undefined && options.plaintext !== true && !isLoopback(splitAddress(address).host)) {
    throw new ConfigError([`GRPC_ADDRESS is ${address}: beyond loopback gRPC needs TLS or GRPC_PLAINTEXT=true.`]);
  }
  const credentials = serverCredentials(tls);
  const server = new Server(serverOptions(options));
  const probes = options.healthAddress === undefined ? undefined : new Server(probeOptions);
  const streams = new Set<ServerCallContext>();
  const open = new StreamCount(options.maxStreamsPerCaller ?? 2000);
  const failures = new FailureLog();
  if (tls !== undefined && !isMutual(tls)) log.warn('TLS without GRPC_TLS_CA: callers need no certificate');
  if (telemetry !== undefined && tls instanceof Certificates) measureExpiry(tls, telemetry);
  const admit = options.access && createAccessCheck(options.access, { named: isMutual(tls) });
  const clock = options.clock ?? (() => new Date());
  const refusing = refuseUntil(options.refuseUntil);
  const wrap = (handler: AnyHandler) => refusing(logCalls(handler, log));
  for (const service of services)
    server.addService(
      service.definition,
      service.bind({ log, clock, telemetry, failures, streams, open, admit, wrap }),
    );
  const names = services.map((service) => service.name);
  const health = addHealth(probes === undefined ? [server] : [server, probes], names);
  if (options.reflection !== false) addReflection(server, names, admit);

  const bound = await bind(server, address, credentials);
  const boundProbes = probes && (await bindProbes(probes, options.healthAddress, server));
  const announce = (ready: boolean, failing: string[]) => {
    log.info({ ready, failing }, 'readiness');
    health.setReady(ready);
  };
  const readiness = new Readiness(options.health, log, announce, options.complete);

  let closing: Promise<void> | undefined;
  const close = async () => {
    readiness.drain();
    await pause((options.drainDelaySeconds ?? 0) * 1000);
    readiness.close();
    const limitMs = (options.closeLimitSeconds ?? 10) * 1000;
    // Must come before `tryShutdown`, since `forceShutdown` of grpc-js 1.14 cuts off no call without channelz.
    server.drain(bound, limitMs);
    const stopped = promisify(server.tryShutdown.bind(server))();
    health.endWatches();
    const gone = new KnowledgeError('unavailable', 'The service is shutting down.', { retryAfterSeconds: 1 });
    for (const stream of streams) stream.drain(gone);
    const limit = setTimeout(() => log.warn('calls are still running at the time limit; ending them'), limitMs);
    await stopped.catch((error: unknown) => log.warn({ err: error }, 'the server did not stop by itself'));
    clearTimeout(limit);
    // The probe server closes last, so that probes receive "not ready" until then.
    if (boundProbes !== undefined) probes?.drain(boundProbes, 0);
    probes?.forceShutdown();
  };
  return {
    address: bound,
    healthAddress: boundProbes,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Limits the calls that one peer can keep open. A gateway sends all its calls over one connection and has at most about
 * 2,000 requests open (SECURITY.md#http-edge). Usually it needs about 200 streams (20,000 calls a second of 10 ms), so
 * calls never wait at 1,024. grpc-js has no limit by default (GHSA-m425-mq94-257g).
 */
const maxConcurrentStreams = 1024;

function serverOptions(options: ServeOptions): ChannelOptions {
  return {
    'grpc.max_receive_message_length': options.maxRequestBytes ?? 256 * 1024,
    'grpc.max_send_message_length': 4 * 1024 * 1024,
    'grpc.max_concurrent_streams': maxConcurrentStreams,
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

function bind(server: Server, address: string, credentials: ServerCredentials) {
  const bindAsync = promisify(server.bindAsync.bind(server));
  return listenAt(address, async (host, port) =>
    joinAddress(host, await bindAsync(joinAddress(host, port), credentials)),
  );
}

// If the probe address cannot be used, the start fails.
async function bindProbes(probes: Server, address = '', server: Server) {
  try {
    return await bind(probes, address, ServerCredentials.createInsecure());
  } catch (error) {
    server.forceShutdown();
    throw error;
  }
}

type GrpcServerConfig = Config<typeof grpcServerVariables>;

/** Makes the options of `serveGrpc` from the `grpcServerVariables`. `table` is the access list from the code. */
export function grpcServerConfig(config: GrpcServerConfig, tls: Certificates | undefined, table: AccessList) {
  return {
    tls,
    access: new Map([...table, ...readAccess(config.GRPC_ACCESS)]),
    plaintext: config.GRPC_PLAINTEXT,
    reflection: config.GRPC_REFLECTION,
    healthAddress: config.HEALTH_ADDRESS,
    maxStreamsPerCaller: config.GRPC_STREAMS_PER_CALLER,
    maxConnectionAgeSeconds: config.GRPC_MAX_CONNECTION_AGE_SECONDS,
    drainDelaySeconds: config.DRAIN_DELAY_SECONDS,
  };
}

/** Faults in the variables of a gRPC server. `readConfig` calls it as a check. */
export function grpcServerFaults(config: GrpcServerConfig & { readonly GRPC_ADDRESS: string }): string[] {
  const faults = doubleFaults(config);
  const { any, cert, key, ca } = partsOf(config);
  if (any && !(cert && key)) {
    faults.push('GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must both be set to serve gRPC with TLS');
  }
  if (any && config.GRPC_PLAINTEXT) {
    faults.push('GRPC_PLAINTEXT is true and GRPC_TLS_* are set; expected one of them');
  }
  if (!any && !config.GRPC_PLAINTEXT && !isLoopback(splitAddress(config.GRPC_ADDRESS).host)) {
    const expected = 'expected TLS (GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE, GRPC_TLS_CA_FILE) or GRPC_PLAINTEXT=true';
    faults.push(`GRPC_ADDRESS is ${config.GRPC_ADDRESS}, beyond loopback; ${expected}`);
  }
  if (config.GRPC_ACCESS !== undefined && !ca) {
    faults.push('GRPC_ACCESS is set without mutual TLS, which names the callers; expected GRPC_TLS_CA_FILE too');
  }
  return [...faults, ...accessFaults(config.GRPC_ACCESS)];
}

/** Faults in the variables of a gRPC client. `readConfig` calls it as a check. */
export function grpcClientFaults(config: GrpcTlsConfig): string[] {
  const faults = doubleFaults(config);
  const { any, cert, key, ca } = partsOf(config);
  if (any && !ca) faults.push('GRPC_TLS_CA_FILE must be set to call gRPC with TLS');
  if (cert !== key) faults.push('GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE must be set both or not at all');
  return faults;
}

const parts = ['GRPC_TLS_CERT', 'GRPC_TLS_KEY', 'GRPC_TLS_CA'] as const;

function doubleFaults(config: GrpcTlsConfig) {
  return parts
    .filter((part) => config[part] !== undefined && config[`${part}_FILE`] !== undefined)
    .map((part) => `${part} and ${part}_FILE are both set; expected one of them`);
}

function partsOf(config: GrpcTlsConfig) {
  const [cert, key, ca] = parts.map((part) => (config[part] ?? config[`${part}_FILE`]) !== undefined) as Three;
  return { any: cert || key || ca, cert, key, ca };
}

type Three = [boolean, boolean, boolean];

function accessFaults(access: string | undefined) {
  try {
    readAccess(access);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
