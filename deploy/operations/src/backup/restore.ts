import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { BSON, type Collection, type Db, type Document, type IndexDescription, type MongoClient } from 'mongodb';
import { documentsFile, type Manifest, metadataFile, readManifest } from './manifest.js';

export interface RestoreOptions {
  /** Whether to delete the databases first. Otherwise the restore fails if a database already has a collection. */
  readonly drop: boolean;
}

/**
 * Restores collections, validators, documents and indexes. It checks every file before it writes anything. The services
 * must not run.
 *
 * @throws Error if the backup is incomplete, or a database already exists.
 */
export async function restore(client: MongoClient, folder: string, { drop }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(folder);
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

function* each({ databases }: Manifest) {
  for (const [database, collections] of Object.entries(databases)) {
    for (const [name, summary] of Object.entries(collections)) yield { database, name, summary };
  }
}

async function restoreCollection(db: Db, name: string, folder: string): Promise<number> {
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

async function insertAll(collection: Collection, file: string): Promise<void> {
  let batch: Document[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
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
