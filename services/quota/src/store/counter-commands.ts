import { setTimeout as pause } from 'node:timers/promises';
import { chunksOf, isOutage } from '@knowledge/runtime';
import { type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';
import type { LeasedUnit } from '../domain/consume-item.js';
import type { Counter } from '../domain/decision.js';
import type { Charge } from '../domain/subject.js';
import {
  type CounterDocument,
  counterProjection,
  countersName,
  type LeaseDocument,
  toCounter,
  toDocument,
} from './schema.js';

/*
 * Raw commands instead of the driver's `bulkWrite` and `find`, which cost twice as much. Measured: 9,000 against
 * 18,000 consumes a second. Most of that cost is for retryable writes. The ids make repeated writes safe, so they are
 * not needed.
 */

/** The abort signal of a command, and its transaction if there is one. */
export interface CommandScope {
  signal: AbortSignal;
  session?: ClientSession;
}

/** The results of the statements of a command by position. An ordered command ends with the first one that fails. */
interface WriteReply {
  /** The number of documents that were inserted or matched. */
  readonly n: number;
  /** The positions of the upserts that inserted a document. */
  readonly inserted: ReadonlySet<number>;
  /** The errors of failed statements by position. */
  readonly failed: ReadonlyMap<number, MongoServerError>;
}

/** A write counts as done when a majority of the members has it in its journal. */
const durable = { w: 'majority', j: true, wtimeout: 2000 } as const;

/** Removes units from their counters. A unit that its counter does not have changes nothing. */
export async function releaseUnits(db: Db, units: readonly LeasedUnit[], signal: AbortSignal): Promise<void> {
  const updates = units.flatMap(({ id, keys }) =>
    keys.map((key) => ({ q: { _id: key, grants: id }, u: releasePipeline(id) })),
  );
  if (updates.length === 0) return;
  const { failed } = await writeEach(db, { update: countersName, updates, ordered: false }, signal);
  for (const error of failed.values()) throw error;
}

function releasePipeline(id: string): Document[] {
  const grants = { $filter: { input: '$grants', cond: { $ne: ['$$this', { $literal: id }] } } };
  const fewer = { $max: [1, { $subtract: ['$count', 1] }] };
  return [{ $set: { grants, count: { $cond: [{ $eq: [{ $type: '$count' }, 'missing'] }, '$$REMOVE', fewer] } } }];
}

/** Applies one upsert and returns the resulting counter, as one atomic operation. */
export async function upsertCounter(db: Db, { key, pipeline }: PipelineUpsert, signal: AbortSignal): Promise<Counter> {
  const command = { query: { _id: key }, update: pipeline, upsert: true, new: true, fields: counterProjection };
  const reply = await db.command({ findAndModify: countersName, ...command, writeConcern: durable }, { signal });
  confirm(reply);
  return toCounter(reply.value);
}

/** Empties existing counters. Their windows stay, since a window never moves back. */
export async function emptyCounters(db: Db, keys: readonly string[], signal: AbortSignal): Promise<void> {
  const u = { $set: { grants: [] }, $unset: { count: 1 } };
  const { failed } = await writeEach(
    db,
    { update: countersName, updates: keys.map((_id) => ({ q: { _id }, u })) },
    signal,
  );
  for (const error of failed.values()) throw error;
}

/** Inserts documents in a transaction. If one insert fails, the whole transaction fails. */
export async function insertAll(db: Db, documents: readonly CounterDocument[], scope: CommandScope): Promise<void> {
  for (const part of parts(documents)) await writeAll(db, { insert: countersName, documents: part }, scope);
}

/** Replaces documents by their `_id` in a transaction. If one replacement fails, the whole transaction fails. */
export async function replaceAll(db: Db, documents: readonly CounterDocument[], scope: CommandScope): Promise<void> {
  for (const part of parts(documents)) {
    const updates = part.map((document) => ({ q: { _id: document._id }, u: document }));
    await writeAll(db, { update: countersName, updates }, scope);
  }
}

/** Reads the existing counters by key. Outside a transaction it uses majority reads. */
export async function findCounters(
  db: Db,
  keys: readonly string[],
  { signal, session }: CommandScope,
): Promise<Map<string, Counter>> {
  const counters = new Map<string, Counter>();
  for (const part of parts(keys)) {
    const command = {
      find: countersName,
      filter: { _id: { $in: part } },
      projection: counterProjection,
      batchSize: part.length,
      singleBatch: true,
      ...(session === undefined && { readConcern: { level: 'majority' } }),
    };
    const { cursor } = await db.command(command, { signal, ...(session && { session }) });
    for (const document of cursor.firstBatch as CounterDocument[]) counters.set(document._id, toCounter(document));
  }
  return counters;
}

// With this number, documents with 200 ids of 64 characters stay below the 16 MB limit of one command.
const partSize = 512;

/** Divides documents or statements into what one command can have. */
export function parts<T>(all: readonly T[]): T[][] {
  return chunksOf(all, partSize);
}

/** Sends a command whose statements can fail separately. */
export async function writeEach(db: Db, command: Document, signal: AbortSignal): Promise<WriteReply> {
  const reply = await db.command({ ...command, writeConcern: durable }, { signal });
  confirm(reply);
  const failed = new Map<number, MongoServerError>();
  for (const { index, code, errmsg } of (reply.writeErrors ?? []) as WriteError[]) {
    failed.set(index, new MongoServerError({ message: errmsg, code }));
  }
  const inserted = new Set((reply.upserted as { index: number }[] | undefined)?.map(({ index }) => index));
  return { n: reply.n as number, inserted, failed };
}

async function writeAll(db: Db, command: Document, { signal, session }: CommandScope) {
  const reply = await db.command(command, { signal, ...(session && { session }) });
  const [failed] = (reply.writeErrors ?? []) as WriteError[];
  if (failed !== undefined) throw new MongoServerError({ message: failed.errmsg, code: failed.code });
}

interface WriteError {
  index: number;
  code: number;
  errmsg: string;
}

// If no majority confirmed a write, it may still be rolled back.
function confirm({ writeConcernError }: Document) {
  if (writeConcernError === undefined) return;
  throw Object.assign(new Error('A write was not confirmed by a majority.'), { writeConcernError });
}

/**
 * The update that takes one unit if the limit allows it and the id has no grant (services/quota/DECISIONS.md). A newer stored
 * window decides instead. For policies that keep every id, the update is exact in parallel and safe to repeat. It must
 * be an upsert by `_id` alone, or the server would not retry when two first uses race. After `lastMoment` by the
 * server's clock it changes nothing. A first use then fails, because its document would be invalid.
 */
export function consumePipeline(charge: Charge, window: number, id: string, lastMoment?: Date): Document[] {
  const first = toDocument(charge.key, charge.policy, { window, count: 1, grants: [id] });
  // Without $literal the server could read an id as a field path (SECURITY.md#counting).
  const literal = { $literal: id };
  const nothingToDo = { $or: [{ $in: [literal, '$grants'] }, { $gte: [{ $size: '$grants' }, charge.policy.limit] }] };
  const another = { $mergeObjects: ['$$ROOT', { grants: { $concatArrays: ['$grants', [literal]] } }] };
  // A new document has no window, which is less than any date. So it takes the last branch.
  const counted = {
    $cond: [{ $gte: ['$window', first.window] }, { $cond: [nothingToDo, '$$ROOT', another] }, { $literal: first }],
  };
  if (lastMoment === undefined) return [{ $replaceWith: counted }];
  return [{ $replaceWith: { $cond: [{ $gt: ['$$NOW', lastMoment] }, '$$ROOT', counted] } }];
}

/** What became of a statement. A skipped one stands after one that failed, in an ordered command. */
export type StatementResult = 'inserted' | 'matched' | 'skipped' | Error;

/** Returns what became of each of `count` statements. */
export function resultsOf({ inserted, failed }: WriteReply, count: number, ordered: boolean): StatementResult[] {
  const end = ordered && failed.size > 0 ? Math.min(...failed.keys()) : count;
  return Array.from({ length: count }, (_, at) => {
    if (at > end) return 'skipped';
    return failed.get(at) ?? (inserted.has(at) ? 'inserted' : 'matched');
  });
}

export function isApplied(result: StatementResult): boolean {
  return result === 'inserted' || result === 'matched';
}

/** Opens a turn. It fails as a duplicate if the lease has this turn already, or a later one. */
export function opening({ _id, ...lease }: LeaseDocument): Statement {
  return { q: { _id, turn: { $lt: lease.turn } }, u: lease, upsert: true };
}

/**
 * Converts a deadline to the clock of the database. A later write must have no effect. Undefined if that clock is unknown;
 * then a write that arrives too late counts until it is given back.
 */
export type LastMoment = (deadline: number) => Date | undefined;

/** One statement of an update command. Each statement is applied alone, in the order of the command. */
export interface Statement {
  readonly q: Document;
  readonly u: Document | Document[];
  readonly upsert?: boolean;
}

/**
 * Inserts a counter. If there is one already, it matches it and changes nothing. After `lastMoment` by the server's clock
 * it fails, because the document would be invalid.
 */
export function insertion(counter: CounterDocument, lastMoment: Date | undefined): Statement {
  const { _id, ...fields } = counter;
  if (lastMoment === undefined) return { q: { _id }, u: { $setOnInsert: fields }, upsert: true };
  const stays = { $or: [{ $gt: ['$$NOW', lastMoment] }, { $gt: ['$window', null] }] };
  return { q: { _id }, u: [{ $replaceWith: { $cond: [stays, '$$ROOT', { $literal: counter }] } }], upsert: true };
}

/** New ids for a counter. It must still have this window, this number of ids, and none of the new ones. */
interface Append {
  readonly key: string;
  readonly window: number;
  readonly count: number;
  readonly ids: readonly string[];
  /** After this moment by the server's clock nothing is added. */
  readonly lastMoment?: Date | undefined;
}

/** Adds ids to a counter. If the counter is not as expected, it matches none. */
export function appending({ key, window, count, ids, lastMoment }: Append): Statement {
  return {
    q: {
      _id: key,
      window: new Date(window),
      grants: { $size: count, $nin: ids },
      ...(lastMoment && { $expr: { $lte: ['$$NOW', lastMoment] } }),
    },
    u: { $push: { grants: { $each: ids } } },
  };
}

/** An upsert of one counter by an update pipeline. */
export interface PipelineUpsert {
  key: string;
  pipeline: Document[];
}

export function upserting({ key, pipeline }: PipelineUpsert): Statement {
  return { q: { _id: key }, u: pipeline, upsert: true };
}

/** Repeats an operation while MongoDB is unreachable, until the signal aborts. The operation must be safe to repeat. */
export async function untilAnswered<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error;
      await pause(25 + Math.random() * 50);
    }
  }
}
