import { join } from 'node:path';
import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { joinAddress } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { type Program, until } from '../processes/supervise.js';
import type { LocalConfig, Ports } from './ports.js';

export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Everything that decides the environments of the processes. */
interface LocalSetup {
  readonly config: LocalConfig;
  readonly ports: Ports;
  readonly mongodbUri: string;
  readonly root: string;
  /** Signs what is left of a read. It stays the same over restarts, so that an agent can go on reading. */
  readonly continuationKey: string;
  /** The operator's environment, which is passed on to every process. */
  readonly env: NodeJS.ProcessEnv;
}

const stopGraceMs = 25_000;

/** The four services, the gateway and the web desk, each with its environment. */
export function describePrograms(setup: LocalSetup): Record<ServiceName | 'gateway' | 'desk', Program> {
  const { config, ports, mongodbUri, root, env, continuationKey } = setup;
  const sites = {
    PUBLIC_URL_IO: config.PUBLIC_URL_IO ?? localUrl(ports.gateway),
    PUBLIC_URL_ORG: config.PUBLIC_URL_ORG ?? localUrl(ports.gateway),
  };
  const mail = {
    SMTP_URL: config.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM: env['MAIL_FROM'] || 'Community Knowledge Service <no-reply@knowledge.localhost>',
  };
  const addressesOf = (...names: ServiceName[]): NodeJS.ProcessEnv =>
    Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_ADDRESS`, grpcAddress(ports, name)]));

  const program = (
    name: ServiceName | 'gateway' | 'desk',
    folder: string,
    own: NodeJS.ProcessEnv,
    untilReady: Program['untilReady'],
  ): Program => ({
    name,
    command: [process.execPath, join(root, folder, 'main.js')],
    env: { ...shared(env), ...own, ...metrics(name, env) },
    untilReady,
    stopGraceMs,
  });
  const service = (name: ServiceName, own: NodeJS.ProcessEnv = {}) => {
    const address = grpcAddress(ports, name);
    const all = { GRPC_ADDRESS: address, MONGODB_URI: mongodbUri, ...own };
    return program(name, `services/${name}/bundle`, all, grpcReady(address));
  };
  const ownKey = env['CONTINUATION_KEY'] || env['CONTINUATION_KEY_FILE'];
  const http = {
    HTTP_ADDRESS: joinAddress(config.HOST, ports.gateway),
    ...(!ownKey && { CONTINUATION_KEY: continuationKey }),
  };
  return {
    content: service('content'),
    quota: service('quota'),
    identity: service('identity', { ...sites, ...mail, ...addressesOf('quota') }),
    contributions: service('contributions', { ...sites, ...mail, ...addressesOf('content', 'identity', 'quota') }),
    gateway: program(
      'gateway',
      'gateway/bundle',
      { ...sites, ...http, ...addressesOf(...serviceNames) },
      httpOk(`${reachableGateway(setup)}/readyz`),
    ),
    desk: program(
      'desk',
      'services/desk/bundle/web',
      {
        DESK_ADDRESS: `127.0.0.1:${ports.desk}`,
        DESK_PUBLIC_URL: deskUrl(ports),
        SIGN_IN_CODES: 'allow',
        ...addressesOf(...serviceNames),
      },
      httpOk(`${deskUrl(ports)}/readyz`),
    ),
  };
}

export function describeMailbox({
  config,
  ports,
  root,
  env,
}: Pick<LocalSetup, 'config' | 'ports' | 'root' | 'env'>): Program {
  const own = {
    MAILBOX_DIR: join(config.dataDir, 'mailbox'),
    MAILBOX_PORT: String(ports.mailbox),
    SMTP_PORT: String(ports.smtp),
  };
  return {
    name: 'mailbox',
    command: [process.execPath, join(root, 'deploy', 'local', 'bundle', 'mailbox', 'main.js')],
    env: { ...env, ...own },
    untilReady: httpOk(localUrl(ports.mailbox)),
    stopGraceMs,
  };
}

export function grpcAddress(ports: Ports, name: ServiceName): string {
  return `127.0.0.1:${ports[name]}`;
}

/** Where this machine reaches the gateway, whatever its public URLs are. */
export function reachableGateway({ config, ports }: Pick<LocalSetup, 'config' | 'ports'>): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[config.HOST] ?? config.HOST;
  return `http://${joinAddress(host, ports.gateway)}`;
}

/** The web desk listens on loopback only, wherever the gateway listens. */
export function deskUrl(ports: Ports): string {
  return `http://127.0.0.1:${ports.desk}`;
}

export function localUrl(port: number): string {
  return `http://localhost:${port}`;
}

/** The gateway serves metrics at the configured address, the other processes at the next ports in their order. */
function metrics(name: ServiceName | 'gateway' | 'desk', env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const match = /^(.*):(\d+)$/.exec(env['METRICS_ADDRESS'] ?? '');
  if (match === null || match[2] === '0') return {};
  const offset = ['gateway', ...serviceNames, 'desk'].indexOf(name);
  return { METRICS_ADDRESS: `${match[1]}:${Number(match[2]) + offset}` };
}

/** The operator's variables, without those that must differ between processes. The images set `MALLOC_ARENA_MAX` too. */
function shared(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { MONGODB_DATABASE, MONGODB_URI, GRPC_ADDRESS, HTTP_ADDRESS, PORT, ...rest } = env;
  return { MALLOC_ARENA_MAX: '1', ...rest };
}

/** Waits until `grpc.health.v1` reports that the service is serving. Stops waiting when aborted. */
function grpcReady(address: string): Program['untilReady'] {
  return async (signal) => {
    const client = connectGrpc(HealthService, { address, callerName: 'local runner', deadlineMs: 1_000 });
    try {
      await until(signal, async () => {
        const answer = await client.check({ service: 'readiness' }, { requestId: 'local-start', signal });
        return answer.status === HealthCheckResponse_ServingStatus.SERVING;
      });
    } finally {
      client.close();
    }
  };
}

/** Waits until a GET returns 200. Stops waiting when aborted. */
function httpOk(url: string): Program['untilReady'] {
  return (signal) =>
    until(signal, async () => {
      const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(1_000)]) });
      await response.body?.cancel();
      return response.status === 200;
    });
}
