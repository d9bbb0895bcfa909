import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, readConfig, string, type Tls, target } from '@knowledge/runtime/client';
import { DeskError, UsageError } from './desk-error.js';
import { type Host, readNamedFile } from './host.js';
import { type PerService, perService, type ServiceName } from './services.js';

/** The global options as commander reads them. */
export interface GlobalFlags extends Partial<Record<ServiceName, string>> {
  json?: boolean;
  yes?: boolean;
  actor?: string;
  dataDir?: string;
  tlsCa?: string;
  tlsCert?: string;
  tlsKey?: string;
}

/** The addresses of the services, the certificates and the name under which the desk acts. */
export interface Settings {
  readonly addresses: PerService<string | undefined>;
  /** The run file of a local start, if it exists. */
  readonly runFile: RunFile | undefined;
  /** The directory that may contain a run file. */
  readonly dataDir: string;
  readonly tls: Tls | undefined;
  readonly actor: string;
}

const variables = {
  KNOWLEDGE_CONTENT_ADDRESS: target({ optional: true }),
  KNOWLEDGE_QUOTA_ADDRESS: target({ optional: true }),
  KNOWLEDGE_IDENTITY_ADDRESS: target({ optional: true }),
  KNOWLEDGE_CONTRIBUTIONS_ADDRESS: target({ optional: true }),
  KNOWLEDGE_TLS_CA: string({ optional: true }),
  KNOWLEDGE_TLS_CERT: string({ optional: true }),
  KNOWLEDGE_TLS_KEY: string({ optional: true, secret: true }),
  KNOWLEDGE_ACTOR: string({ optional: true, max: 200 }),
  DATA_DIR: string({ optional: true }),
};

/**
 * Combines flags, variables and the run file. An address comes from its flag, from `--data-dir`, from its variable,
 * from `DATA_DIR`, or from `./.data`, in this order.
 *
 * @throws UsageError or ConfigError if a value is not usable.
 */
export function readSettings(flags: GlobalFlags, { env, cwd }: Pick<Host, 'env' | 'cwd'>): Settings {
  const config = readConfig(env, variables);
  const dataDir = resolve(cwd, flags.dataDir ?? config.DATA_DIR ?? '.data');
  const runFile = readRunFile(dataDir);
  const addresses = perService((name) => {
    const found = runFile?.grpc[name];
    const configured = config[`KNOWLEDGE_${name.toUpperCase()}_ADDRESS` as keyof typeof variables];
    return flags[name] ?? (flags.dataDir === undefined ? (configured ?? found) : found);
  });
  return {
    addresses,
    runFile,
    dataDir,
    tls: readTls(flags, config, cwd),
    actor: flags.actor ?? config.KNOWLEDGE_ACTOR ?? osActor(),
  };
}

function readTls(flags: GlobalFlags, config: Config<typeof variables>, cwd: string): Tls | undefined {
  const ca = pem(flags.tlsCa ?? config.KNOWLEDGE_TLS_CA, '--tls-ca', cwd);
  const cert = pem(flags.tlsCert ?? config.KNOWLEDGE_TLS_CERT, '--tls-cert', cwd);
  const key = pem(flags.tlsKey ?? config.KNOWLEDGE_TLS_KEY, '--tls-key', cwd);
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  if (ca === undefined) throw new UsageError('--tls-cert and --tls-key need --tls-ca (KNOWLEDGE_TLS_CA) too.');
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('Give --tls-cert and --tls-key both, or neither.');
  return { ca, cert, key };
}

// Returns the text of a PEM file. The value is a path from a flag, or the text that `readConfig` has already read.
function pem(value: string | undefined, flag: string, cwd: string) {
  if (value === undefined || value.includes('-----BEGIN ')) return value;
  return readNamedFile({ cwd }, value, `${flag}: ${value}`).toString();
}

function osActor() {
  try {
    return `desk:${userInfo().username}`;
  } catch {
    // The user of a container may have no name.
    return `desk:uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The addresses of a running system, which a local start writes to `run.json` (deploy/local/README.md). */
type RunFile = NonNullable<ReturnType<typeof readRunFile>>;

/**
 * Reads the run file of a data directory. Undefined if there is no file, because then no system runs.
 *
 * @throws DeskError if the file exists and cannot be read.
 */
function readRunFile(directory: string) {
  const path = join(directory, 'run.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new DeskError('unavailable', `${path} cannot be read (${code}).`, { cause: error });
  }
  const run = parse(text);
  if (run === undefined) throw new DeskError('unavailable', `${path} is not the run.json of a local start.`);
  const grpc = record(run['grpc']) ?? {};
  return {
    path,
    grpc: perService((name) => stringOf(grpc[name])),
    gateway: stringOf(run['gateway']),
    mailbox: stringOf(run['mailbox']),
    desk: stringOf(run['desk']),
  };
}

function parse(text: string) {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function record(value: unknown) {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function stringOf(value: unknown) {
  return typeof value === 'string' ? value : undefined;
}
