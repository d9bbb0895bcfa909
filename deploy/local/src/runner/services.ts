import { join } from 'node:path';
import type { LocalConfig } from './config.js';
import type { Ports } from './ports.js';

export const SERVICE_NAMES = ['content', 'quota', 'identity', 'contributions'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** A process of ours to be run by Node. */
export interface Program {
  readonly name: string;
  readonly main: string;
  /** Whole environment. */
  readonly env: NodeJS.ProcessEnv;
}

export interface Surroundings {
  readonly config: LocalConfig;
  readonly ports: Ports;
  readonly mongodbUri: string;
  readonly root: string;
  /** The operator's environment: every variable of it reaches every process. */
  readonly env: NodeJS.ProcessEnv;
}

/** The four services and the gateway with the environment that each of them reads. */
export function describePrograms(around: Surroundings): Record<ServiceName | 'gateway', Program> {
  const contracts = environments(around);
  const describe = (name: ServiceName | 'gateway', ...dir: string[]): Program => ({
    name,
    main: join(around.root, ...dir, 'dist', 'main.js'),
    env: { ...shared(around.env), ...contracts[name], ...metrics(name, around.env) },
  });
  return {
    content: describe('content', 'services', 'content'),
    quota: describe('quota', 'services', 'quota'),
    identity: describe('identity', 'services', 'identity'),
    contributions: describe('contributions', 'services', 'contributions'),
    gateway: describe('gateway', 'gateway'),
  };
}

export function describeMailbox({ config, ports, root, env }: Omit<Surroundings, 'mongodbUri'>): Program {
  const main = join(root, 'deploy', 'local', 'dist', 'mailbox', 'main.js');
  const own = {
    MAILBOX_DIR: join(config.dataDir, 'mailbox'),
    MAILBOX_PORT: String(ports.mailbox),
    SMTP_PORT: String(ports.smtp),
  };
  return { name: 'mailbox', main, env: { ...env, ...own } };
}

export function grpcAddress(ports: Ports, name: ServiceName): string {
  return `127.0.0.1:${ports[name]}`;
}

export function localUrl(port: number): string {
  return `http://localhost:${port}`;
}

function environments(around: Surroundings): Record<ServiceName | 'gateway', NodeJS.ProcessEnv> {
  const { config, ports } = around;
  const at = (name: ServiceName): string => grpcAddress(ports, name);
  const sites = {
    PUBLIC_URL_IO: config.publicUrlIo ?? localUrl(ports.gateway),
    PUBLIC_URL_ORG: config.publicUrlOrg ?? localUrl(ports.gateway),
  };
  const mail = {
    SMTP_URL: config.smtpUrl ?? `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM: around.env['MAIL_FROM'] || 'Community Knowledge Service <no-reply@knowledge.localhost>',
  };
  const listen = (name: ServiceName): NodeJS.ProcessEnv => ({
    GRPC_ADDRESS: at(name),
    MONGODB_URI: around.mongodbUri,
  });
  return {
    content: listen('content'),
    quota: listen('quota'),
    identity: {
      ...listen('identity'),
      ...sites,
      ...mail,
      QUOTA_ADDRESS: at('quota'),
    },
    contributions: {
      ...listen('contributions'),
      ...sites,
      ...mail,
      CONTENT_ADDRESS: at('content'),
      IDENTITY_ADDRESS: at('identity'),
      QUOTA_ADDRESS: at('quota'),
    },
    gateway: {
      ...sites,
      HTTP_ADDRESS: `${config.host}:${ports.gateway}`,
      CONTENT_ADDRESS: at('content'),
      QUOTA_ADDRESS: at('quota'),
      IDENTITY_ADDRESS: at('identity'),
      CONTRIBUTIONS_ADDRESS: at('contributions'),
    },
  };
}

/** The gateway shows its metrics at the address given, the services at the next ports in their order. */
function metrics(name: ServiceName | 'gateway', env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const match = /^(.*):(\d+)$/.exec(env['METRICS_ADDRESS'] ?? '');
  if (match === null || match[2] === '0') return {};
  const offset = name === 'gateway' ? 0 : SERVICE_NAMES.indexOf(name) + 1;
  return { METRICS_ADDRESS: `${match[1]}:${Number(match[2]) + offset}` };
}

/** The operator's variables, without those that one process must not share with another. */
function shared(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MONGODB_DATABASE, MONGODB_URI, GRPC_ADDRESS, HTTP_ADDRESS, PORT, ...rest } = env;
  return rest;
}
