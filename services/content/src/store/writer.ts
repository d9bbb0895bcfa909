import type { Site } from '@knowledge/runtime';
import { orAbort, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import { Long, type MongoClient, MongoServerError } from 'mongodb';
import type { NewChange } from '../domain/change.js';
import type { ObjectKind } from '../domain/community-object.js';
import { type Collections, countsId } from './documents.js';

/** How a change moves the counts of what is published. */
export interface CountChange {
  readonly articles?: Partial<Record<Site, number>>;
  readonly objects?: readonly { site: Site; kind: ObjectKind; by: number }[];
}

/** One write under way. */
export interface Write {
  /** To be given to every operation. */
  readonly scope: TransactionScope;
  /** Appends to the log and moves the counts; once a write, before anything else is written. */
  append(change: NewChange, move: CountChange): Promise<void>;
}

/** Runs changes, one after the other. */
export interface Writer {
  /**
   * Runs `change` in one transaction. Whatever it does is committed with its entry of the log, or not at all; if it appends
   * nothing it writes nothing.
   */
  write<T>(change: (write: Write) => Promise<T>, signal: AbortSignal): Promise<T>;
}

const duplicateKey = 11000;

/**
 * Every change takes its position from one document, so two can only be made one after the other. Within the process they
 * wait for their turn instead of colliding; changes of other processes are met with the retry of the transaction.
 */
export function createWriter(client: MongoClient, { changes, counts }: Collections): Writer {
  let last: Promise<unknown> = Promise.resolve();

  const run = async <T>(change: (write: Write) => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withTransaction(client, (scope) => change({ scope, append: appendTo(scope) }), { signal });
      } catch (error) {
        // Two first writes of one document: the second now finds it.
        if (attempt === 3 || !(error instanceof MongoServerError) || error.code !== duplicateKey) throw error;
      }
    }
  };

  const appendTo = (scope: TransactionScope) => async (change: NewChange, move: CountChange) => {
    const counted = await counts.findOneAndUpdate(
      { _id: countsId },
      { $inc: { position: Long.ONE, ...increments(move) } },
      { ...scope, upsert: true, returnDocument: 'after', projection: { position: 1 } },
    );
    if (counted === null) throw new Error('An upsert gave nothing back.');
    const { transition, tags, ...rest } = change;
    const _id = Long.fromNumber(Number(counted.position));
    await changes.insertOne({ _id, ...rest, tags: [...tags], transition: { ...transition } }, scope);
  };

  return {
    write(change, signal) {
      const turn = last.then(() => {
        signal.throwIfAborted();
        return run(change, signal);
      });
      // Whoever waits beyond the deadline is answered, and a turn that hangs holds up the next one no longer than that.
      const answer = orAbort(turn, signal);
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

function increments({ articles = {}, objects = [] }: CountChange): Record<string, number> {
  const fields: Record<string, number> = {};
  const add = (field: string, by: number): void => {
    fields[field] = (fields[field] ?? 0) + by;
  };
  for (const [site, by] of Object.entries(articles)) add(`articles.${site}`, by);
  for (const { site, kind, by } of objects) add(`objects.${site}.${kind}`, by);
  return Object.fromEntries(Object.entries(fields).filter(([, by]) => by !== 0));
}
