import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BSON, type Document, MongoClient } from 'mongodb';
import { type ServiceName, serviceNames } from '../../harness/system.js';

/** The four databases that an earlier release stored. */
export interface Stored {
  readonly writtenAt: Date;
  /** Data that callers got from that release, so that the test can request it from the current code. */
  readonly known: Known;
  readonly databases: Readonly<Record<ServiceName, Readonly<Record<string, StoredCollection>>>>;
}

/** The data that callers of that release got. */
export interface Known {
  readonly token: string;
  readonly contributionId: string;
  readonly objectId: string;
}

interface StoredCollection {
  readonly options: Document;
  readonly indexes: Document[];
  readonly documents: Document[];
}

const file = fileURLToPath(new URL('stored.ejson', import.meta.url));

/** Writes the file from the databases of a running system. */
export async function writeStored(uri: string, names: Record<ServiceName, string>, known: Known): Promise<void> {
  const client = await new MongoClient(uri, { promoteValues: false }).connect();
  const databases: Record<string, Record<string, StoredCollection>> = {};
  for (const service of serviceNames) {
    const db = client.db(names[service]);
    const collections = await db.listCollections<Document & { name: string }>({}, { promoteValues: true }).toArray();
    databases[service] = {};
    for (const { name, options } of collections.sort((a, b) => a.name.localeCompare(b.name))) {
      const indexes = await db.collection(name).listIndexes({ promoteValues: true }).toArray();
      const documents = await db.collection(name).find().sort({ _id: 1 }).toArray();
      databases[service][name] = { options: options ?? {}, indexes, documents };
    }
  }
  await client.close();
  const text = BSON.EJSON.stringify({ writtenAt: new Date(), known, databases }, { relaxed: false });
  // Writes one document per line, so that a diff of the file is readable.
  writeFileSync(file, `${text.replaceAll(/(?<=[[,])(?=\{"_id":)/g, '\n')}\n`);
}

/** Reads the file and moves every time forward, as if the data had been stored now. So nothing has expired. */
export function readStored(): Stored {
  const stored = BSON.EJSON.parse(readFileSync(file, 'utf8'), { relaxed: false }) as Stored;
  const passed = Date.now() - stored.writtenAt.getTime();
  return moveTimes(stored, passed) as Stored;
}

/** Restores the stored databases with collections, validators, documents and indexes. */
export async function restoreStored(
  uri: string,
  names: Record<ServiceName, string>,
  { databases }: Stored,
): Promise<void> {
  const client = await new MongoClient(uri).connect();
  for (const service of serviceNames) {
    const db = client.db(names[service]);
    for (const [name, { options, indexes, documents }] of Object.entries(databases[service])) {
      await db.command({ create: name, ...options });
      if (documents.length > 0) await db.collection(name).insertMany(documents as Document[]);
      const more = indexes.filter((index) => index['name'] !== '_id_');
      if (more.length > 0) await db.command({ createIndexes: name, indexes: more });
    }
  }
  await client.close();
}

function moveTimes(value: unknown, by: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + by);
  if (Array.isArray(value)) return value.map((each) => moveTimes(each, by));
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, moveTimes(each, by)]));
}
