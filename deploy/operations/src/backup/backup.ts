import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { BSON, type ClientSession, type Collection, type Document, type MongoClient, type Timestamp } from 'mongodb';
import { type CollectionSummary, documentsFile, type Manifest, metadataFile, writeManifest } from './manifest.js';

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

async function writeMetadata(
  client: MongoClient,
  database: string,
  folder: string,
  leftOut: string[],
): Promise<string[]> {
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
  const out = createWriteStream(file, { mode: 0o600 });
  const hash = createHash('sha256');
  let documents = 0;
  let bytes = 0;
  // With `raw` the driver returns bytes, but its types still say documents.
  const cursor = collection.find({}, { session, raw: true, batchSize: 1_000 });
  for await (const document of cursor as AsyncIterable<unknown>) {
    const chunk = document as Buffer;
    documents += 1;
    bytes += chunk.byteLength;
    hash.update(chunk);
    if (!out.write(chunk)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  return { documents, bytes, sha256: hash.digest('hex') };
}
