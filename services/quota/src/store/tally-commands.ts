import { type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';
import type { LeasedUnit } from '../domain/lease.js';
import type { Tally } from '../domain/tally.js';
import { type TallyDocument, talliesName, tallyFields, toTally } from './tally-document.js';

/*
 * Commands as the server knows them. `bulkWrite` and `find` of the driver do the same at twice the cost (measured: 9,000
 * against 18,000 consumes a second), most of it for retryable writes, which ids make unnecessary here.
 */

/** What bounds a command, and the transaction that it belongs to. */
export interface CommandScope {
  signal: AbortSignal;
  session?: ClientSession;
}

/** One upsert by a pipeline. */
export interface PipelineUpsert {
  key: string;
  pipeline: Document[];
}

/** How the statements of an unordered command came out; the others were applied and changed something or nothing. */
export interface WriteReply {
  /** The places of the upserts that made a new document. */
  readonly inserted: ReadonlySet<number>;
  /** The places of those that failed. */
  readonly failed: ReadonlyMap<number, MongoServerError>;
}

const durable = { w: 'majority', j: true, wtimeout: 2000 } as const;
const duplicateKey = 11000;

/** Whether an error says that a document exists already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === duplicateKey;
}

/** Inserts documents, each on its own. */
export async function insertEach(
  db: Db,
  documents: readonly TallyDocument[],
  signal: AbortSignal,
): Promise<WriteReply> {
  return writeEach(db, { insert: talliesName, documents, ordered: false }, signal);
}

/** Applies upserts, each on its own. */
export async function upsertEach(db: Db, upserts: readonly PipelineUpsert[], signal: AbortSignal): Promise<WriteReply> {
  const updates = upserts.map(({ key, pipeline }) => ({ q: { _id: key }, u: pipeline, upsert: true }));
  return writeEach(db, { update: talliesName, updates, ordered: false }, signal);
}

/** Takes units out of their tallies again; one that is not there, or not any more, changes nothing. */
export async function releaseEach(db: Db, units: readonly LeasedUnit[], signal: AbortSignal): Promise<void> {
  const updates = units.flatMap(({ id, keys }) => {
    return keys.map((key) => ({ q: { _id: key, grants: id }, u: releasePipeline(id) }));
  });
  if (updates.length === 0) return;
  const { failed } = await writeEach(db, { update: talliesName, updates, ordered: false }, signal);
  for (const error of failed.values()) throw error;
}

function releasePipeline(id: string): Document[] {
  const grants = { $filter: { input: '$grants', cond: { $ne: ['$$this', { $literal: id }] } } };
  const fewer = { $max: [1, { $subtract: ['$count', 1] }] };
  return [{ $set: { grants, count: { $cond: [{ $eq: [{ $type: '$count' }, 'missing'] }, '$$REMOVE', fewer] } } }];
}

/** Applies one upsert and reads the tally that it leaves, in one step. */
export async function upsertOne(db: Db, { key, pipeline }: PipelineUpsert, signal: AbortSignal): Promise<Tally> {
  const command = { query: { _id: key }, update: pipeline, upsert: true, new: true, fields: tallyFields };
  const reply = await db.command({ findAndModify: talliesName, ...command, writeConcern: durable }, { signal });
  confirm(reply);
  return toTally(reply.value);
}

/** Empties the documents that exist; their windows stay, for a window never goes back. */
export async function emptyEach(db: Db, keys: readonly string[], signal: AbortSignal): Promise<void> {
  const u = { $set: { grants: [] }, $unset: { count: 1 } };
  const { failed } = await writeEach(
    db,
    { update: talliesName, updates: keys.map((_id) => ({ q: { _id }, u })) },
    signal,
  );
  for (const error of failed.values()) throw error;
}

/** Inserts documents in a transaction, which fails as a whole. */
export async function insertAll(db: Db, documents: readonly TallyDocument[], scope: CommandScope): Promise<void> {
  for (const part of parts(documents)) await writeAll(db, { insert: talliesName, documents: part }, scope);
}

/** Replaces documents by their `_id` in a transaction, which fails as a whole. */
export async function replaceAll(db: Db, documents: readonly TallyDocument[], scope: CommandScope): Promise<void> {
  for (const part of parts(documents)) {
    const updates = part.map((document) => ({ q: { _id: document._id }, u: document }));
    await writeAll(db, { update: talliesName, updates }, scope);
  }
}

/** The tallies that exist, by key. Majority reads, outside of a transaction. */
export async function findTallies(
  db: Db,
  keys: readonly string[],
  { signal, session }: CommandScope,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (const part of parts(keys)) {
    const command = {
      find: talliesName,
      filter: { _id: { $in: part } },
      projection: tallyFields,
      batchSize: part.length,
      singleBatch: true,
      ...(session === undefined && { readConcern: { level: 'majority' } }),
    };
    const { cursor } = await db.command(command, { signal, ...(session && { session }) });
    for (const document of cursor.firstBatch as TallyDocument[]) tallies.set(document._id, toTally(document));
  }
  return tallies;
}

// Documents of 100 ids of 64 characters each stay below the 16 MB of one command or batch.
const partSize = 512;

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  if (all.length <= partSize) {
    if (all.length > 0) yield all;
    return;
  }
  for (let from = 0; from < all.length; from += partSize) yield all.slice(from, from + partSize);
}

/** Sends a command of unordered or single writes; each of them fails alone. */
export async function writeEach(db: Db, command: Document, signal: AbortSignal): Promise<WriteReply> {
  const reply = await db.command({ ...command, writeConcern: durable }, { signal });
  confirm(reply);
  const failed = new Map<number, MongoServerError>();
  for (const { index, code, errmsg } of (reply.writeErrors ?? []) as WriteError[]) {
    failed.set(index, new MongoServerError({ message: errmsg, code }));
  }
  return { inserted: new Set((reply.upserted as { index: number }[] | undefined)?.map(({ index }) => index)), failed };
}

async function writeAll(db: Db, command: Document, { signal, session }: CommandScope): Promise<void> {
  const reply = await db.command(command, { signal, ...(session && { session }) });
  const [failed] = (reply.writeErrors ?? []) as WriteError[];
  if (failed !== undefined) throw new MongoServerError({ message: failed.errmsg, code: failed.code });
}

interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

// A write that no majority confirmed in time may still be lost.
function confirm({ writeConcernError }: Document): void {
  if (writeConcernError === undefined) return;
  throw Object.assign(new Error('A write was not confirmed by a majority.'), { writeConcernError });
}
