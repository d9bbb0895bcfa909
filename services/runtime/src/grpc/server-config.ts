import { splitAddress } from '../config/host-port.js';
import { type Config, ConfigError } from '../config/read-config.js';
import type { grpcServerVariables } from '../config/variables.js';
import { type AccessList, readAccess } from './access.js';
import type { Certificates } from './certificates.js';
import { isLoopback, type ServeOptions } from './serve.js';
import type { GrpcTlsConfig } from './tls.js';

type GrpcServerConfig = Config<typeof grpcServerVariables>;

/** Makes the options of `serveGrpc` from the `grpcServerVariables`. `table` is the access list from the code. */
export function grpcServerConfig(
  config: GrpcServerConfig,
  tls: Certificates | undefined,
  table: AccessList,
): Pick<
  ServeOptions,
  | 'tls'
  | 'access'
  | 'plaintext'
  | 'reflection'
  | 'healthAddress'
  | 'maxStreamsPerCaller'
  | 'maxConnectionAgeSeconds'
  | 'drainDelaySeconds'
> {
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

function doubleFaults(config: GrpcTlsConfig): string[] {
  return parts
    .filter((part) => config[part] !== undefined && config[`${part}_FILE`] !== undefined)
    .map((part) => `${part} and ${part}_FILE are both set; expected one of them`);
}

function partsOf(config: GrpcTlsConfig): { any: boolean; cert: boolean; key: boolean; ca: boolean } {
  const [cert, key, ca] = parts.map((part) => (config[part] ?? config[`${part}_FILE`]) !== undefined) as Three;
  return { any: cert || key || ca, cert, key, ca };
}

type Three = [boolean, boolean, boolean];

function accessFaults(access: string | undefined): readonly string[] {
  try {
    readAccess(access);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
