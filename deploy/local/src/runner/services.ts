import { join } from 'node:path';
import type { LocalConfig } from './config.js';
import type { Ports } from './ports.js';

export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A Node program of this repository, with its environment. */
export interface Program {
  readonly name: string;
  readonly main: string;
  /** All its variables; it inherits none from the runner. */
  readonly env: NodeJS.ProcessEnv;
}

/** Everything that decides the environments of the processes. */
export interface LocalSetup {
  readonly config: LocalConfig;
  readonly ports: Ports;
  readonly mongodbUri: string;
  readonly root: string;
  /** The operator's environment, which is passed on to every process. */
  readonly env: NodeJS.ProcessEnv;
}

/** The four services and the gateway, each with its environment. */
export function describePrograms(setup: LocalSetup): Record<ServiceName | 'gateway', Program> {
  const contracts = environments(setup);
  const describe = (name: ServiceName | 'gateway', ...dir: string[]): Program => ({
    name,
    main: join(setup.root, ...dir, 'dist', 'main.js'),
    env: { ...shared(setup.env), ...contracts[name], ...metrics(name, setup.env) },
  });
  return {
    content: describe('content', 'services', 'content'),
    quota: describe('quota', 'services', 'quota'),
    identity: describe('identity', 'services', 'identity'),
    contributions: describe('contributions', 'services', 'contributions'),
    gateway: describe('gateway', 'gateway'),
  };
}

export function describeMailbox({ config, ports, root, env }: Omit<LocalSetup, 'mongodbUri'>): Program {
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

function environments(setup: LocalSetup): Record<ServiceName | 'gateway', NodeJS.ProcessEnv> {
  const { config, ports } = setup;
  const at = (name: ServiceName): string => grpcAddress(ports, name);
  const sites = {
    PUBLIC_URL_IO: config.publicUrlIo ?? localUrl(ports.gateway),
    PUBLIC_URL_ORG: config.publicUrlOrg ?? localUrl(ports.gateway),
  };
  const mail = {
    SMTP_URL: config.smtpUrl ?? `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM: setup.env['MAIL_FROM'] || 'Community Knowledge Service <no-reply@knowledge.localhost>',
  };
  const listen = (name: ServiceName): NodeJS.ProcessEnv => ({
    GRPC_ADDRESS: at(name),
    MONGODB_URI: setup.mongodbUri,
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

/** The gateway serves metrics at the configured address, the services at the next ports in their order. */
function metrics(name: ServiceName | 'gateway', env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const match = /^(.*):(\d+)$/.exec(env['METRICS_ADDRESS'] ?? '');
  if (match === null || match[2] === '0') return {};
  const offset = name === 'gateway' ? 0 : serviceNames.indexOf(name) + 1;
  return { METRICS_ADDRESS: `${match[1]}:${Number(match[2]) + offset}` };
}

/** The operator's variables, without those that must differ between processes. */
function shared(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MONGODB_DATABASE, MONGODB_URI, GRPC_ADDRESS, HTTP_ADDRESS, PORT, ...rest } = env;
  return rest;
}
