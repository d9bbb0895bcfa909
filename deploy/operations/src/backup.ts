import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  BSON,
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  type IndexDescription,
  type MongoClient,
  type Timestamp,
} from 'mongodb';

/**
 * Backs up all collections at one point in time, in the file layout of mongodump. One snapshot session reads all
 * databases and shards, so the backup is consistent while the system runs. MongoDB keeps a snapshot for 300 s
 * (`minSnapshotHistoryWindowInSeconds`); a slower backup fails. What no snapshot can read is left out and named.
 *
 * @throws if the folder is not empty, or a database has no collection.
 */
export async function backUp(client: MongoClient, databases: readonly string[], folder: string): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  const leftOut: string[] = [];
  const names = new Map<string, string[]>();
  for (const database of databases) names.set(database, await writeMetadata(client, database, folder, leftOut));
  const session = client.startSession({ snapshot: true });
  try {
    const written: Record<string, Record<string, CollectionSummary>> = {};
    for (const [database, collections] of names) {
      const summaries: Record<string, CollectionSummary> = {};
      for (const name of collections) {
        const file = documentsFile(folder, database, name);
        summaries[name] = await writeDocuments(client.db(database).collection(name), session, file);
      }
      written[database] = summaries;
    }
    const manifest: Manifest = { clusterTime: pointOf(session), databases: written, leftOut };
    await writeManifest(folder, manifest);
    return manifest;
  } finally {
    await session.endSession();
  }
}

function pointOf(session: ClientSession): Manifest['clusterTime'] {
  // The driver's types do not declare this field.
  const { snapshotTime } = session as ClientSession & { readonly snapshotTime?: Timestamp };
  if (snapshotTime === undefined) throw new Error('The server did not return the time of the snapshot.');
  return { t: snapshotTime.getHighBitsUnsigned(), i: snapshotTime.getLowBitsUnsigned() };
}

async function writeMetadata(client: MongoClient, database: string, folder: string, leftOut: string[]) {
  const db = client.db(database);
  const collections = await db.listCollections({ type: 'collection' }, { nameOnly: false }).toArray();
  const names: string[] = [];
  await mkdir(join(folder, database), { mode: 0o700 });
  for (const { name, options = {} } of collections as { name: string; options?: Document }[]) {
    // MongoDB reads no capped collection in a snapshot, and one profiler leaves `system.profile` behind for ever.
    if (options['capped'] || name.startsWith('system.')) {
      leftOut.push(`${database}.${name}`);
      continue;
    }
    const indexes = await db.collection(name).listIndexes().toArray();
    const metadata = { indexes, collectionName: name, type: 'collection', options };
    const text = BSON.EJSON.stringify(metadata, { relaxed: false });
    await writeFile(metadataFile(folder, database, name), text, { mode: 0o600 });
    names.push(name);
  }
  if (names.length === 0) throw new Error(`the database ${database} has no collections`);
  return names;
}

async function writeDocuments(
  collection: Collection,
  session: ClientSession,
  file: string,
): Promise<CollectionSummary> {
  const hash = createHash('sha256');
  let documents = 0;
  let bytes = 0;
  // With `raw` the driver returns bytes, but its types still say documents.
  const cursor: AsyncIterable<unknown> = collection.find({}, { session, raw: true, batchSize: 1_000 });
  const counted = async function* () {
    for await (const document of cursor as AsyncIterable<Buffer>) {
      documents += 1;
      bytes += document.byteLength;
      hash.update(document);
      yield document;
    }
  };
  await pipeline(counted, createWriteStream(file, { mode: 0o600 }));
  return { documents, bytes, sha256: hash.digest('hex') };
}

interface RestoreOptions {
  /** Whether to delete the databases first. Otherwise the restore fails if a database already has a collection. */
  readonly drop: boolean;
  /** Whether to delete them although services are connected. */
  readonly 'while-running'?: boolean;
}

/**
 * Restores collections, validators, documents and indexes. It checks every file before it writes anything.
 *
 * @throws Error if the backup is incomplete, a database already exists, or a service would lose its database.
 */
export async function restore(client: MongoClient, folder: string, options: RestoreOptions): Promise<Manifest> {
  const { drop, 'while-running': whileRunning = false } = options;
  const manifest = await readManifest(folder);
  if (drop && !whileRunning) await refuseServices(client, Object.keys(manifest.databases));
  for (const { database, name, summary } of each(manifest)) {
    const file = documentsFile(folder, database, name);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
    if (hash.digest('hex') !== summary.sha256) throw new Error(`${file} has changed since the backup wrote it`);
  }
  for (const database of Object.keys(manifest.databases)) {
    const db = client.db(database);
    if (drop) await db.dropDatabase();
    else if (await db.listCollections({ name: { $not: /^system\./ } }, { nameOnly: true }).hasNext()) {
      throw new Error(`the database ${database} is there already; --drop deletes it first`);
    }
  }
  for (const { database, name, summary } of each(manifest)) {
    const restored = await restoreCollection(client.db(database), name, folder);
    if (restored !== summary.documents) {
      throw new Error(`${database}.${name} has ${restored} documents, but the backup has ${summary.documents}`);
    }
  }
  return manifest;
}

/** @throws Error if a service is connected. Services call their connections like their database. */
async function refuseServices(client: MongoClient, databases: readonly string[]) {
  const operations = client
    .db('admin')
    .aggregate([
      { $currentOp: { allUsers: true, idleConnections: true } },
      { $match: { appName: { $in: databases } } },
      { $group: { _id: '$appName' } },
    ]);
  const found = await operations.toArray().catch((cause: unknown) => {
    const message = `cannot see whether services are connected: ${String(cause)}. If none is, give --while-running`;
    throw new Error(message, { cause });
  });
  const names = found.map(({ _id }) => String(_id)).sort();
  if (names.length > 0)
    throw new Error(`services still use ${names.join(', ')}: stop them first, or give --while-running`);
}

function* each({ databases }: Manifest) {
  for (const [database, collections] of Object.entries(databases)) {
    for (const [name, summary] of Object.entries(collections)) yield { database, name, summary };
  }
}

async function restoreCollection(db: Db, name: string, folder: string) {
  const text = await readFile(metadataFile(folder, db.databaseName, name), 'utf8');
  const metadata = BSON.EJSON.parse(text, { relaxed: false }) as { options: Document; indexes: Document[] };
  await db.command({ create: name, ...metadata.options });
  const collection = db.collection(name);
  await insertAll(collection, documentsFile(folder, db.databaseName, name));
  const indexes = metadata.indexes.filter((index) => index['name'] !== '_id_');
  if (indexes.length > 0) await db.command({ createIndexes: name, indexes: indexes as IndexDescription[] });
  return collection.countDocuments();
}

/** The number of bytes per insert. One message of MongoDB's wire protocol may have at most 48 MB. */
const batchBytes = 4 * 1024 * 1024;

async function insertAll(collection: Collection, file: string) {
  let batch: Document[] = [];
  let size = 0;
  const flush = async () => {
    if (batch.length > 0) await collection.insertMany(batch, { ordered: false });
    batch = [];
    size = 0;
  };
  for await (const bytes of documentsIn(file)) {
    // Without `promoteValues: false`, BSON would convert all number types to JavaScript numbers.
    batch.push(BSON.deserialize(bytes, { promoteValues: false, bsonRegExp: true }));
    size += bytes.byteLength;
    if (size >= batchBytes || batch.length === 1_000) await flush();
  }
  await flush();
}

async function* documentsIn(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 4) {
      const length = rest.readInt32LE(0);
      if (rest.length < length) break;
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }
  if (rest.length > 0) throw new Error(`${file} ends within a document`);
}

/** The content of `backup.json`. The file is written last, so a folder without it is an incomplete backup. */
export interface Manifest {
  /** The point in time of the backup, as the seconds and counter of MongoDB's cluster time. */
  readonly clusterTime: { readonly t: number; readonly i: number };
  readonly databases: Readonly<Record<string, Readonly<Record<string, CollectionSummary>>>>;
  /** Capped collections and those of MongoDB itself, as `database.collection`. Older backups do not name them. */
  readonly leftOut?: readonly string[];
}

interface CollectionSummary {
  readonly documents: number;
  readonly bytes: number;
  /** The hash of the `.bson` file, in hexadecimal. */
  readonly sha256: string;
}

/** The file with the documents of a collection. The name is the same as in mongodump. */
function documentsFile(folder: string, database: string, collection: string) {
  return join(folder, database, `${collection}.bson`);
}

/** The file with the options and indexes of a collection. The name is the same as in mongodump. */
function metadataFile(folder: string, database: string, collection: string) {
  return join(folder, database, `${collection}.metadata.json`);
}

/** Writes the manifest, which marks a backup as complete. It gets its name when all of it is on the disk. */
async function writeManifest(folder: string, manifest: Manifest) {
  const part = join(folder, 'backup.json.part');
  await writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(part, join(folder, 'backup.json'));
}

/** The point in time of a backup. */
export function timeOf({ clusterTime }: Manifest): string {
  return new Date(clusterTime.t * 1_000).toISOString();
}

/** @throws Error if the folder has no complete backup. It names those in its folders. */
async function readManifest(folder: string) {
  return manifestIn(folder).catch(async (cause: unknown) => {
    const inside = await readdir(folder).catch(() => []);
    const dated = async (name: string) => `\n${name} as of ${timeOf(await manifestIn(join(folder, name)))}`;
    const backups = await Promise.all(inside.sort().map((name) => dated(name).catch(() => '')));
    throw new Error(`${folder} holds no whole backup: it has no backup.json${backups.join('')}`, { cause });
  });
}

async function manifestIn(folder: string) {
  return JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')) as Manifest;
}
