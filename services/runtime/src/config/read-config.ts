import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Site } from '../product/rules.js';
import { address, choice, flag, integer, list, seconds, string, target, url, type Variable } from './variable.js';

/** The parsed values of declared variables. */
export type Config<S> = { readonly [Name in keyof S]: S[Name] extends Variable<infer Value> ? Value : never };

/** Environment variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads every variable of the specification and reports all faults together. An empty variable is treated as absent.
 * `NAME_FILE` names a file that contains the value of `NAME`, as mounted secrets do. Setting both is a fault.
 *
 * @throws ConfigError with one line for each fault: the name, the fault and the expected value.
 */
export function readConfig<S extends Record<string, Variable<unknown>>>(
  env: Environment,
  specification: S,
  check?: (config: Config<S>) => readonly string[],
): Config<S> {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(specification)) {
    try {
      config[name] = parsed(variable, lookUp(env, name, Object.hasOwn(specification, `${name}_FILE`)));
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  const read = Object.freeze(config) as Config<S>;
  const broken = check?.(read) ?? [];
  if (broken.length > 0) throw new ConfigError(broken);
  return read;
}

function lookUp(env: Environment, name: string, fileIsItsOwnVariable: boolean) {
  const value = env[name] === '' ? undefined : env[name];
  const file = fileIsItsOwnVariable ? undefined : env[`${name}_FILE`];
  if (file === undefined || file === '') return value;
  if (value !== undefined) throw new Error(`and ${name}_FILE are both set; expected one of them`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    throw new Error(`cannot be read from ${name}_FILE (${(error as NodeJS.ErrnoException).code ?? 'error'})`);
  }
}

function parsed({ parse, expected, secret }: Variable<unknown>, input: string | undefined) {
  try {
    return parse(input);
  } catch {
    const shown = secret ? 'has a value that cannot be used' : `is ${JSON.stringify(input)}`;
    throw new Error(`${input === undefined ? 'is missing' : shown}; expected ${expected}`);
  }
}

/** The configuration has faults. `runMain` prints them and ends the process before it listens. */
export class ConfigError extends Error {
  /** One readable line for each fault. No line shows the value of a secret. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** The variables of every process that writes a log. */
export const logVariables = {
  LOG_LEVEL: choice(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], { default: 'info' }),
  LOG_PRETTY: flag({ default: false, description: 'lines for people instead of JSON' }),
};

/**
 * The PEM certificates of a process that serves or calls gRPC: its own pair and the authorities of its peers. Changed
 * files are read again. Without any certificate gRPC uses plaintext.
 */
export const grpcTlsVariables = {
  GRPC_TLS_CERT: string({ optional: true, secret: true, description: 'PEM certificate chain' }),
  GRPC_TLS_KEY: string({ optional: true, secret: true, description: 'PEM private key' }),
  GRPC_TLS_CA: string({ optional: true, secret: true, description: 'PEM authorities of the other side' }),
  GRPC_TLS_CERT_FILE: string({ optional: true, description: 'file of the PEM certificate chain' }),
  GRPC_TLS_KEY_FILE: string({ optional: true, description: 'file of the PEM private key' }),
  GRPC_TLS_CA_FILE: string({ optional: true, description: 'file of the PEM authorities of the other side' }),
};

const drainVariables = {
  DRAIN_DELAY_SECONDS: seconds({ max: 15, default: 0, description: 'unready, but serving, before a stop' }),
};

/** The variables that all gRPC servers share. `GRPC_ADDRESS` is not here, since its default differs for each server. */
export const grpcServerVariables = {
  ...grpcTlsVariables,
  GRPC_PLAINTEXT: flag({ default: false, description: 'listen beyond loopback without TLS, for a mesh' }),
  GRPC_ACCESS: string({ optional: true, description: 'callers whose rights differ from those in the code' }),
  GRPC_REFLECTION: flag({ default: true, description: 'describe the services to tools such as grpcurl' }),
  HEALTH_ADDRESS: address({
    optional: true,
    description: 'plaintext grpc.health.v1 alone, for probes that know no TLS',
  }),
  GRPC_STREAMS_PER_CALLER: integer({
    min: 1,
    max: 100_000,
    default: 2000,
    description: 'open streams of one method and caller; beyond it RESOURCE_EXHAUSTED',
  }),
  GRPC_MAX_CONNECTION_AGE_SECONDS: seconds({ min: 1, default: 300 }),
  ...drainVariables,
};

/** The variables of every process that has its own database. */
export const mongodbVariables = {
  MONGODB_URI: url({ schemes: ['mongodb', 'mongodb+srv'], secret: true, default: 'mongodb://127.0.0.1:27017' }),
};

/** The variables of a process that browsers or agents reach by HTTP, and that calls the services. */
export function httpServiceVariables(connections: number, perAddress: number) {
  return {
    ...logVariables,
    ...grpcTlsVariables,
    TRUSTED_PROXIES: list({
      accepts: isAddressOrBlock,
      of: 'addresses or CIDR blocks no wider than /8 (IPv6: /7)',
      description: 'whose X-Forwarded-* headers count',
    }),
    MAX_CONNECTIONS: integer({
      min: 10,
      max: 100_000,
      default: connections,
      description: 'open connections; more get a 503',
    }),
    CONNECTIONS_PER_ADDRESS: integer({
      min: 5,
      max: 100_000,
      default: perAddress,
      description:
        'open connections of one client address, an IPv6 /64 counting as one, a /56 as 4 and a /48 as 16; trusted proxies have no bound',
    }),
    CONTENT_ADDRESS: target({ default: '127.0.0.1:50051' }),
    QUOTA_ADDRESS: target({ default: '127.0.0.1:50052' }),
    IDENTITY_ADDRESS: target({ default: '127.0.0.1:50053' }),
    CONTRIBUTIONS_ADDRESS: target({ default: '127.0.0.1:50054' }),
    ...drainVariables,
  };
}

function isAddressOrBlock(item: string) {
  const [address = '', bits, ...more] = item.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  // Addresses inside IPv6 are compared as IPv4, so such a block would never match.
  if (bits !== undefined && version === 6 && ipaddr.process(address).kind() === 'ipv4') return false;
  // A wider block holds clients too: each would choose the address that its limits count.
  const [widest, narrowest] = version === 4 ? [8, 32] : [7, 128];
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= widest && Number(bits) <= narrowest);
}

/** The base URLs of the two sites, for every process that writes links. Check them with `publicUrlFaults`. */
export const publicUrlVariables = {
  PUBLIC_URL_IO: url({ default: 'http://localhost:8080', description: 'the base URL of the site io' }),
  PUBLIC_URL_ORG: url({ default: 'http://localhost:8080', description: 'the base URL of the site org' }),
};

type PublicUrls = Config<typeof publicUrlVariables>;

/** Faults in the public URLs that the type `url` does not find. `readConfig` calls it as a check. */
export function publicUrlFaults(config: PublicUrls): string[] {
  return (['PUBLIC_URL_IO', 'PUBLIC_URL_ORG'] as const).flatMap((name) => {
    const { username, password } = new URL(config[name]);
    return /[?#]/.test(config[name]) || username || password
      ? [`${name} has a query, a fragment or a user; expected a plain base URL`]
      : [];
  });
}

/** The base URL of each site. */
export function publicUrls(config: PublicUrls): Readonly<Record<Site, string>> {
  return { io: config.PUBLIC_URL_IO, org: config.PUBLIC_URL_ORG };
}

/** A public URL that other machines can reach; undefined for a local start. */
export function openPublicUrl(config: PublicUrls): string | undefined {
  return [config.PUBLIC_URL_IO, config.PUBLIC_URL_ORG].find((url) => !isLocalUrl(url));
}

/** Whether a URL is on loopback. */
export function isLocalUrl(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase();
  return host.endsWith('.localhost') || isLoopback(host);
}

/** Whether only this machine can reach the host, a name or an address. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(host);
}
