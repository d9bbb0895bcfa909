import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient, MongoServerError } from 'mongodb';

export const initiateReplicaSetUsage = `initiate-replica-set --hosts HOST:PORT,… [--replica-set NAME] [--key-file FILE]
                       [--owner DATABASE=FILE]… [--operator FILE] [--timeout SECONDS]

Makes one replica set of new members, waits for its primary and creates its users. Safe to repeat.

  --hosts        every member, under the address that clients use
  --replica-set  its name (default knowledge)
  --key-file     the key file of the members; without it they run without authentication
  --owner        a database and the file with the URI of its only user, who is created or updated
  --operator     the file with the URI of the user who may back up and restore every database
  --timeout      give up after this many seconds (default 600)
`;

/** Runs the command and returns its exit code. */
export async function runInitiateReplicaSet(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options });
  if (values.help) {
    process.stdout.write(initiateReplicaSetUsage);
    return 0;
  }
  await initiateReplicaSet({
    hosts: listOf(values.hosts),
    replicaSet: values['replica-set'],
    key: values['key-file'] === undefined ? undefined : readFileSync(values['key-file'], 'utf8'),
    users: [...values.owner.map(ownerUser), ...(values.operator === undefined ? [] : [operatorUser(values.operator)])],
    signal: AbortSignal.timeout(Number(values.timeout) * 1_000),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  return 0;
}

const options = {
  hosts: { type: 'string' },
  'replica-set': { type: 'string', default: 'knowledge' },
  'key-file': { type: 'string' },
  owner: { type: 'string', multiple: true, default: [] as string[] },
  operator: { type: 'string' },
  timeout: { type: 'string', default: '600' },
  help: { type: 'boolean', default: false },
} as const;

function listOf(hosts: string | undefined) {
  const list = (hosts ?? '').split(',').filter((host) => host !== '');
  if (list.length === 0) throw new Error('--hosts is missing; see --help');
  return list;
}

interface InitiateOptions {
  /** The `host:port` of every member. The first member initiates the set. */
  readonly hosts: readonly string[];
  readonly replicaSet: string;
  /** The content of the key file; undefined if the members have no authentication. */
  readonly key: string | undefined;
  readonly users: readonly MongodbUser[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Initiates a replica set of new members, waits for the primary, and creates or updates the users. It waits for members
 * that do not respond yet. It may be repeated and interrupted.
 */
async function initiateReplicaSet(options: InitiateOptions) {
  const { hosts, replicaSet, users, signal, say } = options;
  for (const host of hosts) {
    await withMember(host, options, async (client) => void (await hello(client)), `waiting for ${host}`);
    say(`${host} answers`);
  }
  const [first = ''] = hosts;
  await withMember(first, options, (client) => initiateIfNew(client, options), `waiting for ${first} to be initiated`);
  const primary = await untilPrimary(first, options);
  say(`${primary} is the primary of ${replicaSet}`);
  for (const user of users) {
    signal.throwIfAborted();
    await withMember(
      primary,
      options,
      (client) => putUser(client, user, say),
      `waiting to write the user ${user.name}`,
    );
  }
}

/**
 * Makes the URI of a member. The key file is also the password of `__system`, the members' internal user with all
 * rights.
 */
function uriOf(host: string, key: string | undefined) {
  if (key === undefined) return `mongodb://${host}/?directConnection=true`;
  const password = encodeURIComponent(key.replace(/\s/g, ''));
  return `mongodb://__system:${password}@${host}/?directConnection=true&authSource=local&authMechanism=SCRAM-SHA-256`;
}

/** Repeats `work` on one member until it succeeds. Logs a failure when its reason changes. */
async function withMember<T>(
  host: string,
  { key, signal, say }: InitiateOptions,
  work: (client: MongoClient) => Promise<T>,
  waiting: string,
) {
  let loggedReason = '';
  for (;;) {
    signal.throwIfAborted();
    const client = new MongoClient(uriOf(host, key), {
      appName: 'operations-initiate-replica-set',
      serverSelectionTimeoutMS: 2_000,
      maxPoolSize: 1,
    });
    try {
      return await work(client);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== loggedReason) say(`${waiting}: ${reason}`);
      loggedReason = reason;
    } finally {
      await client.close();
    }
    await delay(1_000, undefined, { signal });
  }
}

function hello(client: MongoClient) {
  return client.db('admin').command({ hello: 1 });
}

async function initiateIfNew(client: MongoClient, { hosts, replicaSet, say }: InitiateOptions) {
  const { setName } = await hello(client);
  if (setName === replicaSet) return say(`${replicaSet} is initiated already`);
  if (setName !== undefined) throw new Error(`it is already a member of ${String(setName)}, not of ${replicaSet}`);
  const members = hosts.map((host, _id) => ({ _id, host }));
  await client.db('admin').command({ replSetInitiate: { _id: replicaSet, members } });
  say(`initiated ${replicaSet} of ${hosts.join(', ')}`);
}

function untilPrimary(host: string, options: InitiateOptions) {
  const ask = async (client: MongoClient) => {
    const { primary } = await hello(client);
    if (typeof primary !== 'string') throw new Error('none is elected yet');
    return primary;
  };
  return withMember(host, options, ask, 'waiting for a primary');
}

const userExists = 51_003;

async function putUser(client: MongoClient, { name, password, roles }: MongodbUser, say: (line: string) => void) {
  const admin = client.db('admin');
  const definition = { pwd: password, roles, writeConcern: { w: 'majority' } };
  try {
    await admin.command({ createUser: name, ...definition });
    say(`created the user ${name}`);
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== userExists) throw error;
    await admin.command({ updateUser: name, ...definition });
    say(`the user ${name} exists; its password and roles are as given`);
  }
}

/** A user of the database `admin`. */
interface MongodbUser {
  readonly name: string;
  readonly password: string;
  readonly roles: readonly { role: string; db: string }[];
}

/**
 * Reads the user of a service from the URI with which the service connects. The user may access only its own database.
 * `owner` has the form `knowledge_content=/path/of/its/uri`.
 *
 * @throws Error if the URI has no name or password.
 */
function ownerUser(owner: string): MongodbUser {
  const [database, file] = split(owner);
  return {
    ...readCredentials(file),
    roles: [
      { role: 'readWrite', db: database },
      { role: 'dbAdmin', db: database },
    ],
  };
}

/** Reads the user for backup and restore from a file that contains its URI. */
function operatorUser(file: string): MongodbUser {
  const roles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor', 'backup', 'restore'];
  return { ...readCredentials(file), roles: roles.map((role) => ({ role, db: 'admin' })) };
}

function split(owner: string): [database: string, file: string] {
  const at = owner.indexOf('=');
  if (at < 1) throw new Error(`--owner ${owner}: expected DATABASE=FILE`);
  return [owner.slice(0, at), owner.slice(at + 1)];
}

// The class `URL` cannot parse a URI with several hosts, so this uses a pattern.
function readCredentials(file: string) {
  const match = /^mongodb(?:\+srv)?:\/\/([^:@/]+):([^:@/]+)@/.exec(readFileSync(file, 'utf8').trim());
  if (match?.[1] === undefined || match[2] === undefined) throw new Error(`${file}: the URI has no user and password`);
  return { name: decodeURIComponent(match[1]), password: decodeURIComponent(match[2]) };
}
