import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BSON, type Document, MongoClient } from 'mongodb';
import { type ServiceName, serviceNames } from '../../harness/system.js';

/** The four databases as an earlier release left them. */
export interface Stored {
  readonly writtenAt: Date;
  /** What its callers were given, so that today's code can be asked for it. */
  readonly known: Known;
  readonly databases: Readonly<Record<ServiceName, Readonly<Record<string, StoredCollection>>>>;
}

/** What the callers of that release know. */
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

/** Writes the file anew from databases of a running system. */
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
  // A document a line, so that a change of the file can be read.
  writeFileSync(file, `${text.replaceAll(/(?<=[[,])(?=\{"_id":)/g, '\n')}\n`);
}

/** Reads the file, with every time moved on as if it had been written now: what expires has not expired. */
export function readStored(): Stored {
  const stored = BSON.EJSON.parse(readFileSync(file, 'utf8'), { relaxed: false }) as Stored;
  const passed = Date.now() - stored.writtenAt.getTime();
  return moveTimes(stored, passed) as Stored;
}

/** Makes the databases as they were: collections, rules, documents and indexes. */
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
