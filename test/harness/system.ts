import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchServiceService, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService, PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService, type Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { QuotaServiceService } from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { connectGrpc, type Tls } from '@knowledge/runtime/grpc';
import { scopes as allScopes } from '@knowledge/runtime/product';
import { dropDatabases } from '@knowledge/runtime/testing';
import { toWireScope } from '@knowledge/runtime/wire';
import { type Db, MongoClient } from 'mongodb';
import type { SystemCertificates } from './certificates.js';
import { freePort } from './free-port.js';
import { type MailSink, startMailSink } from './mail-sink.js';
import { type ManagedProcess, startProcess } from './managed-process.js';
import { until } from './until.js';

/** The services in the order in which they start. */
export const serviceNames = ['content', 'quota', 'identity', 'contributions'] as const;

export type ServiceName = (typeof serviceNames)[number];

export interface SystemOptions {
  /** `dist` for programs whose modules a test can change: those in `bundle` are one file. */
  programs?: 'bundle' | 'dist';
  /** The number of gateways (default 1). */
  gateways?: number;
  /** The number of quota processes with one shared database (default 1). Each gateway calls one of them. */
  quotas?: number;
  /** Environment variables for every process. */
  env?: Record<string, string>;
  /** Environment variables for one process, by its label (`quota`, `quota-2`, `gateway`, `gateway-2`, …). */
  envOf?: Record<string, Record<string, string>>;
  /** The certificates with which every process and client uses mutual TLS. */
  certificates?: SystemCertificates;
  /** The URI of another MongoDB. By default the one of the global setup is used. */
  mongodbUri?: string;
  /** Existing databases to use, by service. By default each service gets a new one. */
  databases?: Readonly<Record<ServiceName, string>>;
  /** Replaces the address of content for the gateway with this number (from 0), for example by that of a proxy. */
  contentOfGateway?: (at: number, address: string) => Promise<string>;
  /** Replaces the address of the quota service for a gateway. */
  quotaOfGateway?: (at: number, address: string) => Promise<string>;
}

/** The whole system as real processes on loopback, with its own databases. */
export interface System {
  /** The base URLs of the gateways. */
  readonly gateways: readonly string[];
  readonly url: string;
  readonly processes: Readonly<Record<string, ManagedProcess>>;
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly mail: MailSink;
  readonly clients: SystemClients;
  readonly databases: Readonly<Record<ServiceName, string>>;
  readonly mongodbUri: string;
  /** The database of a service. */
  db(name: ServiceName): Db;
  /** Starts another replica of a service, on the same database. */
  startReplica(name: ServiceName): Promise<{ readonly address: string }>;
  /** Issues a token for an e-mail through the API for support. */
  issueToken(email: string, scopes?: readonly Scope[]): Promise<string>;
  /** The output that all processes have written. */
  logs(): string;
  /** Ends all processes and returns their whole output. */
  logsAtEnd(): Promise<string>;
  close(): Promise<void>;
}

export type SystemClients = ReturnType<typeof connectAll>;

/** The call options of the tests, with a new request id for each call. */
export const asTester = (): { requestId: string; actor: string } => ({ requestId: randomUUID(), actor: 'tester' });

/** Starts all processes and waits until they are ready. */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const mongodbUri = options.mongodbUri ?? process.env['MONGODB_TEST_URI'];
  if (mongodbUri === undefined) throw new Error('MONGODB_TEST_URI is not set; run this through vitest.');
  const { certificates } = options;
  const tls = certificates?.of('desk');
  const suffix = randomBytes(4).toString('hex');
  const databases = options.databases ?? record((name) => `test_${name}_${suffix}`);
  const mail = await startMailSink();
  const processes: Record<string, ManagedProcess> = {};
  const addresses = Object.fromEntries(
    await Promise.all(
      serviceNames.map(async (name) => [name, `${certificates?.hostOf(name) ?? '127.0.0.1'}:${await freePort()}`]),
    ),
  ) as Record<ServiceName, string>;
  const gatewayPorts = await Promise.all(Array.from({ length: options.gateways ?? 1 }, freePort));
  const publicUrl = `http://127.0.0.1:${gatewayPorts[0]}`;

  const shared = {
    MONGODB_URI: mongodbUri,
    LOG_LEVEL: 'info',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Community Knowledge Service <knowledge@example.org>',
    PUBLIC_URL_IO: publicUrl,
    PUBLIC_URL_ORG: publicUrl,
    CONTENT_ADDRESS: addresses.content,
    QUOTA_ADDRESS: addresses.quota,
    IDENTITY_ADDRESS: addresses.identity,
    CONTRIBUTIONS_ADDRESS: addresses.contributions,
    CONTINUATION_KEY: randomBytes(32).toString('hex'),
    // All clients of a test use the same address, so the limits per address are raised.
    CONNECTIONS_PER_ADDRESS: '2000',
    // Nearly all mailboxes of a test are at one mail domain.
    AUTHORIZE_PER_MAIL_DOMAIN: '0',
    AUTHORIZE_PER_HOUR: '0',
    ...options.env,
  };
  const startService = async (name: ServiceName, label: string, address: string): Promise<void> => {
    const env = {
      ...shared,
      ...certificates?.envOf(name),
      GRPC_ADDRESS: address,
      MONGODB_DATABASE: databases[name],
      ...options.envOf?.[label],
    };
    processes[label] = await startProcess({
      name: label,
      command: [process.execPath, mainOf(`services/${name}`, options.programs)],
      env,
      ready: () => serving(address, tls),
    });
  };
  const quotaAddresses = [addresses.quota];
  for (let at = 1; at < (options.quotas ?? 1); at += 1) quotaAddresses.push(`127.0.0.1:${await freePort()}`);
  const startAll = async (starting: readonly Promise<void>[]): Promise<void> => {
    const failed = (await Promise.allSettled(starting)).find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') return;
    // If one process fails to start, the others are closed.
    await Promise.all(Object.values(processes).map((each) => each.close()));
    await mail.close();
    throw failed.reason;
  };
  await startAll([
    ...serviceNames.map((name) => startService(name, name, addresses[name])),
    ...quotaAddresses.slice(1).map((address, at) => startService('quota', `quota-${at + 2}`, address)),
  ]);
  await startAll(
    gatewayPorts.map(async (port, at) => {
      const label = at === 0 ? 'gateway' : `gateway-${at + 1}`;
      const quotaAddress = quotaAddresses[at % quotaAddresses.length] ?? addresses.quota;
      const env = {
        ...shared,
        ...certificates?.envOf('gateway'),
        HTTP_ADDRESS: `127.0.0.1:${port}`,
        CONTENT_ADDRESS: (await options.contentOfGateway?.(at, addresses.content)) ?? addresses.content,
        QUOTA_ADDRESS: (await options.quotaOfGateway?.(at, quotaAddress)) ?? quotaAddress,
        ...options.envOf?.[label],
      };
      processes[label] = await startProcess({
        name: label,
        command: [process.execPath, mainOf('gateway', options.programs)],
        env,
        ready: () => answering(`http://127.0.0.1:${port}/readyz`),
      });
    }),
  );
  const clients = connectAll(addresses, tls);
  const mongo = new MongoClient(mongodbUri);
  return {
    gateways: gatewayPorts.map((port) => `http://127.0.0.1:${port}`),
    url: publicUrl,
    processes,
    addresses,
    mail,
    clients,
    databases,
    mongodbUri,
    db: (name) => mongo.db(databases[name]),
    async startReplica(name) {
      const address = `127.0.0.1:${await freePort()}`;
      await startService(name, `${name}-replica`, address);
      return { address };
    },
    async issueToken(email, scopes = allScopes.map(toWireScope)) {
      const request = { email, agentName: 'test agent', scopes: [...scopes], reason: 'test' };
      return (await clients.grantAdmin.issueToken(request, asTester())).secret;
    },
    logs: () =>
      Object.values(processes)
        .map((each) => each.output())
        .join('\n'),
    logsAtEnd: async () => (await Promise.all(Object.values(processes).map((each) => each.outputAtEnd()))).join('\n'),
    async close() {
      for (const client of Object.values(clients)) client.close();
      await Promise.all(Object.values(processes).map((each) => each.close()));
      await mail.close();
      await mongo.close();
      await dropDatabases(Object.values(databases), mongodbUri);
    },
  };
}

let shared: Promise<System> | undefined;

/**
 * The system of all files of a worker that need none of their own. They count nothing of all that is stored, stop no
 * process and set no variables. It has two gateways and ends with the worker.
 */
export function sharedSystem(): Promise<System> {
  shared ??= startSystem({ gateways: 2, env: { PAGES_PER_ADDRESS: '1000000' } }).then((system) => {
    process.once('SIGTERM', () => void system.close().finally(() => process.exit()));
    const logsAtEnd = () => Promise.reject(new Error('It ends the processes; start a system for it.'));
    return { ...system, logsAtEnd, close: () => Promise.resolve() };
  });
  return shared;
}

function mainOf(folder: string, programs = 'bundle'): string {
  return fileURLToPath(new URL(`${folder}/${programs}/main.js`, repository));
}

// Vitest runs this file from `test`, but the load scripts run it from `test/dist`.
const repository = new URL(import.meta.url.includes('/test/dist/') ? '../../../' : '../../', import.meta.url);

function record(of: (name: ServiceName) => string): Record<ServiceName, string> {
  return Object.fromEntries(serviceNames.map((name) => [name, of(name)])) as Record<ServiceName, string>;
}

/** Connects a client for every proto service. It uses a certificate if one is given. */
export function connectAll(addresses: Record<ServiceName, string>, tls: Tls | undefined) {
  const { content, quota, identity, contributions } = addresses;
  const options = { deadlineMs: 10_000, tls };
  return {
    content: connectGrpc(ContentServiceService, { address: content, ...options }),
    editorial: connectGrpc(EditorialServiceService, { address: content, ...options }),
    articleDrafts: connectGrpc(ArticleDraftServiceService, { address: content, ...options }),
    publication: connectGrpc(PublicationServiceService, { address: content, ...options }),
    search: connectGrpc(SearchServiceService, { address: content, ...options }),
    searchWords: connectGrpc(SearchWordsServiceService, { address: content, ...options }),
    quota: connectGrpc(QuotaServiceService, { address: quota, ...options }),
    quotaAdmin: connectGrpc(QuotaAdminServiceService, { address: quota, ...options }),
    identity: connectGrpc(IdentityServiceService, { address: identity, ...options }),
    grantAdmin: connectGrpc(GrantAdminServiceService, { address: identity, ...options }),
    contributions: connectGrpc(ContributionsServiceService, { address: contributions, ...options }),
    moderation: connectGrpc(ModerationServiceService, { address: contributions, ...options }),
    prompts: connectGrpc(PromptServiceService, { address: contributions, ...options }),
  };
}

/** Resolves when a service says that it serves. */
export async function serving(address: string, tls: Tls | undefined): Promise<void> {
  const health = connectGrpc(HealthService, { address, tls, deadlineMs: 500 });
  try {
    await until(
      `${address} to serve`,
      async () =>
        (await health.check({ service: 'readiness' }, { requestId: 'harness' })).status ===
        HealthCheckResponse_ServingStatus.SERVING,
      90_000,
    );
  } finally {
    health.close();
  }
}

async function answering(url: string): Promise<void> {
  await until(`${url} to answer`, async () => (await fetch(url)).ok, 90_000);
}
