import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoClient, MongoServerError } from 'mongodb';
import type { MongodbUser } from './users.js';

export interface InitiateOptions {
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
export async function initiateReplicaSet(options: InitiateOptions): Promise<void> {
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
function uriOf(host: string, key: string | undefined): string {
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
): Promise<T> {
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

function hello(client: MongoClient): Promise<Document> {
  return client.db('admin').command({ hello: 1 });
}

async function initiateIfNew(client: MongoClient, { hosts, replicaSet, say }: InitiateOptions): Promise<void> {
  const { setName } = await hello(client);
  if (setName === replicaSet) return say(`${replicaSet} is initiated already`);
  if (setName !== undefined) throw new Error(`it is already a member of ${String(setName)}, not of ${replicaSet}`);
  const members = hosts.map((host, _id) => ({ _id, host }));
  await client.db('admin').command({ replSetInitiate: { _id: replicaSet, members } });
  say(`initiated ${replicaSet} of ${hosts.join(', ')}`);
}

function untilPrimary(host: string, options: InitiateOptions): Promise<string> {
  const ask = async (client: MongoClient): Promise<string> => {
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
