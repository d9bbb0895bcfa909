import type { Db, Document } from 'mongodb';
import {
  type CollectionDeclaration,
  count,
  date,
  exactly,
  type IndexDeclaration,
  objectOf,
  text,
  timesIndex,
} from '../mongodb/index.js';
import { abortable } from '../mongodb/operation.js';
import type { Attribution, Transition } from '../transition.js';
import type { LogPosition } from '../watch/cursor.js';

/** A collection whose documents have a `history`. A document has `logSince` while the log may lack some transitions. */
export interface LogSourceOptions {
  readonly subject: string;
  readonly collection: string;
  /** The field with the id of a document in the log. It is set if `_id` is a secret. */
  readonly idField?: string;
  /** The field that contains the name of a document. */
  readonly nameField: string;
  /** Fields that every log entry copies from its document. */
  readonly copied: readonly string[];
}

/** A document whose transitions may not all be in the log. */
export interface UnloggedDocument {
  readonly subject: string;
  /** The id of the document in the log. */
  readonly id: string;
  /** The `_id` of the document in its collection. */
  readonly key: string;
  /** Of its owner; empty if that person was erased, undefined if nobody owns it. */
  readonly email: string | undefined;
  readonly copied: Readonly<Record<string, unknown>>;
  readonly history: readonly Transition[];
}

interface LogSource {
  /** The stage that adds one document to a result if the log lacks transitions of this collection. */
  readonly anyUnlogged: Document;
  /** Finds the documents that have waited longest for the log. */
  findUnlogged(signal: AbortSignal): Promise<UnloggedDocument[]>;
  /** Marks documents as logged. A document that has changed since it was read stays unlogged. */
  markLogged(
    waiting: readonly UnloggedDocument[],
    options: { deleteErased: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  /** Returns the current names of the documents in these entries, by id. */
  names(entries: readonly TransitionEntry[], signal: AbortSignal): Promise<(readonly [string, string])[]>;
}

/** The largest number of documents that are read from a collection at once. */
export const batchSize = 100;

interface SourceDocument {
  _id: string;
  email?: string;
  history: Transition[];
  logSince?: Date;
  [field: string]: unknown;
}

// The filter must name the type as the index does, or the server would not use the index.
const unlogged = { logSince: { $type: 'date' as const } };

/** The `_id` can be a secret. */
const nothingOfIt: Document[] = [{ $project: { _id: { $literal: 1 } } }];

export function createLogSource(
  db: Db,
  { subject, collection, idField = '_id', nameField, copied }: LogSourceOptions,
): LogSource {
  const documents = db.collection<SourceDocument>(collection);
  const projection = Object.fromEntries([idField, 'email', 'history', ...copied].map((field) => [field, 1]));

  return {
    anyUnlogged: { $unionWith: { coll: collection, pipeline: [{ $match: unlogged }, { $limit: 1 }, ...nothingOfIt] } },
    findUnlogged: async (signal) => {
      const options = { signal, projection, sort: { logSince: 1 }, limit: batchSize } as const;
      const found = await documents.find(unlogged, options).toArray();
      // A change moves its document to the end of the index, where the same search may find it again. The later one counts.
      const newest = new Map(found.map((document) => [document._id, document]));
      return [...newest.values()].map((document) => ({
        subject,
        id: String(document[idField]),
        key: document._id,
        email: document.email,
        copied: Object.fromEntries(copied.map((field) => [field, document[field]])),
        history: document.history,
      }));
    },
    markLogged: async (waiting, { deleteErased }, signal) => {
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

export function isErased({ history }: UnloggedDocument): boolean {
  return history.at(-1)?.to === 'erased';
}

/** The revision at which the owner of a document was erased; undefined if nobody was. What is published may stay. */
export function erasedRevision({ email, history }: UnloggedDocument): number | undefined {
  return email === '' ? history.findLast(erases)?.revision : undefined;
}

/** Whether an entry, or a transition of a document, erases a person or a text. */
export function erases({ to, reason }: Pick<Transition, 'to' | 'reason'>): boolean {
  return to === 'erased' || reason === 'erased';
}

/** A transition that is stored in the log, with its position. */
export interface TransitionEntry<Subject extends string = string> extends Transition, LogPosition {
  readonly subject: Subject;
  /** The id of the changed document. For a person it is a hash of the e-mail. */
  readonly id: string;
  /** A hash of the owner's e-mail. It is removed when the person is erased. */
  readonly person?: string;
  /** Marks an audit record: somebody looked at data and changed nothing. */
  readonly audit?: true;
  /** The current name of the changed document. The log itself stores no names. */
  readonly name?: string;
}

type ErasureStep = 'requested' | 'confirmed' | 'cancelled';

/** Records what changes no document with a history: a look at personal data, a block, a rule. */
export interface AuditRecord<Subject extends string = string> extends Attribution {
  readonly subject: Subject;
  readonly id: string;
  readonly person?: string;
  readonly to:
    | 'viewed'
    | 'listed'
    | 'exported'
    | 'blocked'
    | 'unblocked'
    | 'link sent'
    | 'mail sent again'
    | 'rejected together'
    | 'undone together'
    | 'erased'
    | 'allowed'
    | 'limited'
    | 'refused'
    | 'cleared'
    | `erasure ${ErasureStep}`;
}

const transition = { from: text, to: text, actor: text, at: date, reason: text, revision: count };

/** The schema of the transitions that each document stores about itself. */
export const historySchema = {
  bsonType: 'array',
  minItems: 1,
  items: objectOf(transition),
};

/** The index that finds documents with unlogged transitions. Those that have waited longest come first. */
export const logIndex = timesIndex('log', 'logSince');

/** The index that finds where the entries since a time begin. Without it a log is read from its first day. */
export const timeIndex: IndexDeclaration = { name: 'time', key: { at: 1 } };

/** Declares the collection that stores a transition log. `optional` adds fields that entries may have. */
export function transitionsSchema(subjects: readonly string[], optional: object): CollectionDeclaration {
  const required = { _id: count, subject: { enum: [...subjects] }, id: text, ...transition };
  const others = { person: text, audit: { enum: [true] }, ...optional };
  return {
    name: 'transitions',
    validator: { $jsonSchema: exactly({ ...required, ...others }, Object.keys(others)) },
    indexes: [
      { name: 'subject', key: { id: 1, revision: 1 } },
      { name: 'person', key: { person: 1 }, partialFilterExpression: { person: { $exists: true } } },
      timeIndex,
    ],
  };
}
