import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { freePort } from '../harness/free-port.js';
import { until } from '../harness/until.js';
import { containerName, engine, imageOf, network, runLabel } from './engine.js';

/** The services in the order of their ports. The first port is 50051. */
const services = ['content', 'quota', 'identity', 'contributions'] as const;
export const processes = ['gateway', ...services] as const;
export const deployables = [...processes, 'desk', 'local'] as const;
export type ProcessName = (typeof processes)[number];

export const mongoImage = 'docker.io/library/mongo:6.0.5';

/** Container options similar to Pod Security `restricted`, with a read-only root file system. */
export const confined = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];

/** The web desk is the second program in the image of the command line. */
export const webDeskProgram = 'bundle/web/main.js';
export const webDeskEntrypoint = ['--entrypoint', '/usr/local/bin/node'];

/** The system in containers. They share a network and find each other by name. */
export interface Fleet {
  readonly gateway: string;
  readonly mailbox: string;
  readonly webDesk: string;
  /** Options of `run` that pass the addresses of the services to the desk. */
  readonly deskOptions: readonly string[];
}

/** Starts the services and then MongoDB. Waits until the gateway is ready. */
export async function startFleet(): Promise<Fleet> {
  const [http, mail, pages, mongodb] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const webDesk = `http://localhost:${pages}`;
  const gateway = `http://localhost:${http}`;
  await engine('network', 'create', '--label', runLabel(), network());
  await runContainer('mailbox', imageOf('local'), {
    env: { MAILBOX_DIR: '/tmp/mails', MAILBOX_HOST: '0.0.0.0', MAILBOX_PORT: '8025', SMTP_PORT: '1025' },
    options: [...confined, '--publish', `127.0.0.1:${mail}:8025`, '--entrypoint', '/usr/local/bin/node'],
    args: ['bundle/mailbox/main.js'],
  });
  const env = environment(gateway);
  await Promise.all(services.map((name) => runContainer(name, imageOf(name), { env: env[name], options: confined })));
  const options = [...confined, '--publish', `127.0.0.1:${http}:8080`];
  await runContainer('gateway', imageOf('gateway'), { env: env.gateway, options });
  await runContainer('web-desk', imageOf('desk'), {
    env: { ...env.gateway, DESK_ADDRESS: '0.0.0.0:8085', DESK_PUBLIC_URL: webDesk, SIGN_IN_CODES: 'allow' },
    options: [...confined, '--publish', `127.0.0.1:${pages}:8085`, ...webDeskEntrypoint],
    args: [webDeskProgram],
  });
  await startMongodb(mongodb);
  for (const name of services) {
    const variables = Object.entries(env[name]).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    await engine('run', '--rm', ...onNetwork(), ...confined, ...variables, imageOf(name), 'migrate');
  }
  await untilReady(gateway);
  await untilReady(webDesk);
  const addresses = services.flatMap((name, at) => [
    '--env',
    `KNOWLEDGE_${name.toUpperCase()}_ADDRESS=${name}:${5005}${at + 1}`,
  ]);
  return {
    gateway,
    mailbox: `http://localhost:${mail}`,
    webDesk,
    deskOptions: ['run', '--rm', ...onNetwork(), ...confined, ...addresses],
  };
}

/** Waits until the gateway or the web desk is ready, and so all services. */
export async function untilReady(url: string): Promise<void> {
  await until(`${url}/readyz`, async () => (await fetch(`${url}/readyz`)).ok, 60_000, 100);
}

/** The variables of a process, with the same values as in the manifests. */
function environment(gateway: string): Record<ProcessName, Record<string, string>> {
  const addresses = Object.fromEntries(
    services.map((name, at) => [`${name.toUpperCase()}_ADDRESS`, `dns:///${name}:5005${at + 1}`]),
  );
  const sites = { PUBLIC_URL_IO: gateway, PUBLIC_URL_ORG: gateway };
  const mail = {
    SMTP_URL: 'smtp://mailbox:1025',
    SMTP_PLAINTEXT: 'true',
    MAIL_FROM: 'Community Knowledge Service <no-reply@example.org>',
  };
  const of = (at: number) => ({
    ...{ GRPC_ADDRESS: `0.0.0.0:5005${at}`, GRPC_PLAINTEXT: 'true' },
    MONGODB_URI: 'mongodb://mongodb:27017/?replicaSet=rs0',
  });
  return {
    content: of(1),
    quota: of(2),
    identity: { ...of(3), ...sites, ...mail, ...addresses },
    contributions: { ...of(4), ...sites, ...mail, ...addresses },
    gateway: { HTTP_ADDRESS: '0.0.0.0:8080', ...sites, ...addresses },
  };
}

/** Starts a replica set with one member. Containers and the tests reach it by different names. */
async function startMongodb(port: number): Promise<void> {
  await runContainer('mongodb', mongoImage, {
    options: ['--publish', `127.0.0.1:${port}:27017`],
    args: ['mongod', '--replSet', 'rs0', '--bind_ip_all'],
  });
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  try {
    const config = { _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] };
    await client.db('admin').command({ replSetInitiate: config });
  } finally {
    await client.close();
  }
}

async function runContainer(
  name: string,
  image: string,
  { env = {}, options = [], args = [] }: { env?: Record<string, string>; options?: string[]; args?: string[] },
): Promise<void> {
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const identity = ['--name', containerName(name), '--network-alias', name];
  await engine('run', '--detach', ...onNetwork(), ...identity, ...options, ...variables, image, ...args);
}

function onNetwork(): string[] {
  return ['--network', network(), '--label', runLabel()];
}

/** The folder of the sample content. The desk's container mounts it under the same path. */
export const sampleDir = fileURLToPath(new URL('../../deploy/local/sample', import.meta.url));
export const sampleMount = ['--volume', `${sampleDir}:${sampleDir}:ro`];
