import type { Db } from 'mongodb';
import { abortable } from '../mongodb/abortable.js';
import type { Transition } from '../transition.js';
import type { TransitionEntry } from './transition.js';

/** A collection whose documents have a `history`, and `logSince` while the log may lack some of it. */
export interface LogSourceOptions {
  readonly subject: string;
  readonly collection: string;
  /** The field by which the log knows a document; another one than `_id` where that is a secret. */
  readonly idField?: string;
  /** The field with what a document is called. */
  readonly nameField: string;
  /** The fields that each entry of the log has as well. */
  readonly copied: readonly string[];
}

/** A document with transitions that the log may lack. */
export interface Waiting {
  readonly subject: string;
  /** How the log knows it. */
  readonly id: string;
  /** How its collection knows it. */
  readonly key: string;
  readonly email: string;
  readonly copied: Readonly<Record<string, unknown>>;
  readonly history: readonly Transition[];
}

/** The documents of a collection, as the log needs them. */
export interface LogSource {
  /** Those that wait longest. */
  waiting(signal: AbortSignal): Promise<Waiting[]>;
  /** Called when their transitions are in the log; what changed in the meantime goes on waiting. */
  release(waiting: readonly Waiting[], options: { deleteErased: boolean }, signal: AbortSignal): Promise<void>;
  /** What the things of entries are called now, by id. */
  names(entries: readonly TransitionEntry[], signal: AbortSignal): Promise<(readonly [string, string])[]>;
}

/** How many documents of a collection are collected at once. */
export const batchSize = 100;

interface SourceDocument {
  _id: string;
  email?: string;
  history: Transition[];
  logSince?: Date;
  [field: string]: unknown;
}

export function createLogSource(
  db: Db,
  { subject, collection, idField = '_id', nameField, copied }: LogSourceOptions,
): LogSource {
  const documents = db.collection<SourceDocument>(collection);
  const projection = Object.fromEntries([idField, 'email', 'history', ...copied].map((field) => [field, 1]));

  return {
    waiting: async (signal) => {
      const options = { signal, projection, sort: { logSince: 1 }, limit: batchSize } as const;
      const found = await documents.find({ logSince: { $type: 'date' } }, options).toArray();
      return found.map((document) => ({
        subject,
        id: String(document[idField]),
        key: document._id,
        email: document.email ?? '',
        copied: Object.fromEntries(copied.map((field) => [field, document[field]])),
        history: document.history,
      }));
    },
    release: async (waiting, { deleteErased }, signal) => {
      const operations = waiting.map((each) => {
        const filter = { _id: each.key, history: { $size: each.history.length } };
        const release = { updateOne: { filter, update: { $unset: { logSince: true as const } } } };
        return deleteErased && isErased(each) ? { deleteOne: { filter } } : release;
      });
      if (operations.length > 0) await documents.bulkWrite(operations, { ...abortable(signal), ordered: false });
    },
    names: async (entries, signal) => {
      const ids = entries.filter((entry) => entry.subject === subject).map(({ id }) => id);
      if (ids.length === 0) return [];
      const options = { signal, projection: { [idField]: 1, [nameField]: 1 } };
      const found = await documents.find({ [idField]: { $in: ids } }, options).toArray();
      return found.map((document) => [String(document[idField]), String(document[nameField] ?? '')] as const);
    },
  };
}

export function isErased({ history }: Waiting): boolean {
  return history.at(-1)?.to === 'erased';
}
