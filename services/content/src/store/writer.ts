import { orAbort, type Site } from '@knowledge/runtime';
import { isDuplicateKey, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import { Long, type MongoClient } from 'mongodb';
import type { NewChange } from '../domain/change.js';
import type { ObjectKind } from '../domain/community-object.js';
import { type Collections, countsId } from './documents.js';

/** The change in the numbers of published articles and objects. */
export interface CountChange {
  readonly articles?: Partial<Record<Site, number>>;
  readonly objects?: readonly { site: Site; kind: ObjectKind; by: number }[];
}

/** A running write transaction. */
export interface Write {
  /** The transaction. Pass it to every operation. */
  readonly scope: TransactionScope;
  /** Adds an entry to the log and changes the counts. The first entry comes before any other operation that writes. */
  append(change: NewChange, move: CountChange): Promise<void>;
}

/** Runs changes one after the other. */
export interface Writer {
  /**
   * Runs `change` in one transaction, which also commits its entry of the log. A change that appends no entry must
   * write nothing.
   */
  write<T>(change: (write: Write) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** Writes what belongs to a change, in the same transaction. A feature uses it to delete what hung on a deleted text. */
export type ChangeCompanion = (change: NewChange, write: Write) => Promise<void>;

/**
 * Makes a writer. Every change takes its position from the same document, so changes run one after the other. Changes
 * of one process wait in a queue. If another process changes something meanwhile, the transaction runs again.
 */
export function createWriter(
  client: MongoClient,
  { changes, counts }: Pick<Collections, 'changes' | 'counts'>,
  companions: readonly ChangeCompanion[] = [],
): Writer {
  let last: Promise<unknown> = Promise.resolve();

  const run = async <T>(change: (write: Write) => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withTransaction(client, (scope) => change(writeWithin(scope)), { signal });
      } catch (error) {
        // Two writers inserted the same document. The next attempt finds the document of the other writer.
        if (attempt === 3 || !isDuplicateKey(error)) throw error;
      }
    }
  };

  const writeWithin = (scope: TransactionScope): Write => {
    const write: Write = { scope, append: (change, move) => append(write, change, move) };
    return write;
  };

  const append = async (write: Write, change: NewChange, move: CountChange) => {
    const { scope } = write;
    const counted = await counts.findOneAndUpdate(
      { _id: countsId },
      { $inc: { position: Long.ONE, ...increments(move) } },
      { ...scope, upsert: true, returnDocument: 'after', projection: { position: 1 } },
    );
    if (counted === null) throw new Error('An upsert gave nothing back.');
    const { transition, tags, ...rest } = change;
    const _id = Long.fromNumber(Number(counted.position));
    await changes.insertOne({ _id, ...rest, tags: [...tags], transition: { ...transition } }, scope);
    for (const companion of companions) await companion(change, write);
  };

  return {
    write(change, signal) {
      const turn = last.then(() => {
        signal.throwIfAborted();
        return run(change, signal);
      });
      // A call fails at its deadline. So a write that hangs delays the next one only until that deadline.
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
