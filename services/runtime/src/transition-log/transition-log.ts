import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoBulkWriteError } from 'mongodb';
import { abortable, isDuplicateKey } from '../mongodb/operation.js';
import type { CountTransitions } from '../telemetry/metrics.js';
import type { Transition } from '../transition.js';
import { type LogPosition, personHash } from '../watch/cursor.js';
import type { StoredLog } from '../watch/follow-log.js';
import {
  type AuditRecord,
  batchSize,
  createLogSource,
  erasedRevision,
  erases,
  isErased,
  type LogSourceOptions,
  type TransitionEntry,
  type UnloggedDocument,
} from './log-source.js';

/** The part of an entry that is about a person. The log names them by the hash of their e-mail. */
export function aboutPerson(email: string) {
  return aboutHash(personHash(email));
}

/** The same for the hash alone, where the e-mail may be erased. */
export function aboutHash(person: string) {
  return { subject: 'person', id: person, person } as const;
}

/**
 * The log of all transitions of a service, in the same order for all readers. A transition is first stored inside the
 * document that it changes. `collect` then copies it to this log exactly once, even if replicas compete or die. An
 * entry takes the next position, so its insert fails if another replica has used that position.
 */
export interface TransitionLog<Entry extends TransitionEntry = TransitionEntry> extends StoredLog<Entry> {
  collect(signal: AbortSignal): Promise<boolean>;
  /** Stores an audit record: who looked at which personal data. */
  record(look: AuditRecord<Entry['subject']>, signal: AbortSignal): Promise<void>;
  /**
   * Removes the reasons of all that was recorded about a person, of whom the hash is left. The entry of the erasure comes
   * after it, so that no cache keeps them.
   */
  forgetReasons(person: string, signal: AbortSignal): Promise<void>;
  /** Who erased the record with this id, and when; null if nobody did. */
  erasureOf(id: string, signal: AbortSignal): Promise<Pick<TransitionEntry, 'actor' | 'at'> | null>;
}

interface TransitionLogOptions {
  readonly sources: readonly LogSourceOptions[];
  /** Deletes an erased document when its last transition is logged. If false, the service deletes it. */
  readonly deleteErased?: boolean;
  /** Called once with each transition that is added to the log. */
  readonly count?: CountTransitions | undefined;
}

const collectionName = 'transitions';

export function createTransitionLog<Entry extends TransitionEntry>(
  db: Db,
  { sources: options, deleteErased = false, count = () => undefined }: TransitionLogOptions,
): TransitionLog<Entry> {
  const log = db.collection<StoredEntry>(collectionName);
  const entries = createAppendLog<Entry>(db, collectionName);
  const sources = options.map((source) => createLogSource(db, source));

  const append = async (waiting: readonly UnloggedDocument[], position: number, signal: AbortSignal) => {
    const ids = waiting.map(({ id }) => id);
    const logged = await log.find({ id: { $in: ids } }, { signal, projection: { id: 1, revision: 1 } }).toArray();
    const known = new Set(logged.map(nameOf));
    const missing = inOrder(waiting).filter((entry) => !known.has(nameOf(entry)));
    if (missing.length === 0) return true;
    const numbered = missing.map((entry, at) => ({ ...entry, _id: position + 1 + at }));
    try {
      await log.insertMany(numbered, { ...abortable(signal), ordered: true });
      count(missing);
      return true;
    } catch (error) {
      if (!(error instanceof MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      count(missing.slice(0, error.insertedCount));
      return false;
    }
  };

  return {
    ...entries,
    // When a subject is erased, the stored log loses its older reasons. Cached entries may still contain them.
    erases,
    record: (look, signal) => entries.record({ from: '', revision: 0, audit: true, ...look } as never, signal),
    forgetReasons: async (person, signal) => {
      await log.updateMany({ $or: [{ id: person }, { person }] }, { $set: { reason: '' } }, abortable(signal));
    },
    erasureOf: (id, signal) =>
      log.findOne({ id, to: 'erased', audit: { $exists: false } }, { signal, projection: { _id: 0, actor: 1, at: 1 } }),
    collect: async (signal) => {
      // The position must be read before the documents. If another replica appends meanwhile, the insert fails, so
      // nothing is logged twice.
      const position = await entries.last(signal);
      const found = await Promise.all(
        sources.map(async (source) => [source, await source.findUnlogged(signal)] as const),
      );
      const waiting = found.flatMap(([, each]) => each);
      if (waiting.length === 0) return false;
      if (!(await append(waiting, position, signal))) {
        await sleep(Math.random() * 30);
        return true;
      }
      for (const each of waiting) await blankEntries(db, each, signal);
      for (const [source, each] of found) await source.markLogged(each, { deleteErased }, signal);
      return waiting.length >= batchSize;
    },
    hasNews: async (after, signal) => {
      const entry = [{ $match: { _id: { $gt: after } } }, { $limit: 1 }, { $project: { _id: 1 } }];
      const stages = [...entry, ...sources.map(({ anyUnlogged }) => anyUnlogged)];
      return (await log.aggregate(stages, { signal }).toArray()).length > 0;
    },
    read: async (after, most, signal) => {
      const found = await entries.read(after, most, signal);
      const names = new Map((await Promise.all(sources.map((source) => source.names(found, signal)))).flat());
      return found.map((entry) => ({ ...entry, name: names.get(entry.id) ?? '' }));
    },
  };
}

/**
 * Removes reasons and owner of an erased document from the log, since they may identify a person. A look keeps whose data
 * it was, unless the text stays.
 */
async function blankEntries(db: Db, document: UnloggedDocument, signal: AbortSignal) {
  const revision = erasedRevision(document);
  if (revision === undefined) return;
  const log = db.collection<StoredEntry>(collectionName);
  const these = { id: document.id, revision: { $lte: revision } };
  const changes = isErased(document) ? { audit: { $exists: false } } : {};
  // By its reason the entry of an erasure that left the text is known.
  const isOfErasure = { $and: [{ $eq: ['$reason', 'erased'] }, { $ne: ['$to', 'erased'] }] };
  const blank = [{ $set: { reason: { $cond: [isOfErasure, '$reason', ''] } } }];
  await log.updateMany(these, blank, abortable(signal));
  await log.updateMany({ ...these, ...changes }, { $unset: { person: true, requestId: true } }, abortable(signal));
}

type NewEntry = Omit<TransitionEntry, 'position'>;
type StoredEntry = NewEntry & { _id: number };

/**
 * Sorts the transitions by time. Transitions of one document stay in the order of their revisions, even if clocks
 * disagree.
 */
function inOrder(waiting: readonly UnloggedDocument[]): NewEntry[] {
  const timed = waiting.flatMap(({ subject, id, email, copied, history }) => {
    const owner = email ? { person: personHash(email) } : {};
    let time = 0;
    return history.map((transition: Transition) => {
      time = Math.max(time, transition.at.getTime());
      return { time, entry: { subject, id, ...copied, ...owner, ...transition } };
    });
  });
  return timed.sort((a, b) => a.time - b.time).map(({ entry }) => entry);
}

function nameOf({ id, revision }: Pick<StoredEntry, 'id' | 'revision'>) {
  return `${id} ${revision}`;
}

/** A stored log to which every process appends its own entries. */
export interface AppendLog<Entry extends LogPosition> extends StoredLog<Entry> {
  /** Appends an entry. Resolves when the entry is stored. */
  record(entry: Omit<Entry, 'position'>, signal: AbortSignal): Promise<void>;
}

/** A stored entry. Its `_id` is its position. */
interface AppendedEntry {
  _id: number;
  at: Date;
}

/** Stores the log in its own collection. The collection is not sharded, since it is small and needs one order. */
export function createAppendLog<Entry extends LogPosition & { at: Date }>(db: Db, name: string): AppendLog<Entry> {
  const log = db.collection<AppendedEntry>(name);

  const last = async (signal: AbortSignal) => {
    const entry = await log.findOne({}, { signal, projection: { _id: 1 }, sort: { _id: -1 } });
    return entry?._id ?? 0;
  };

  return {
    last,
    record: async (entry, signal) => {
      for (;;) {
        signal.throwIfAborted();
        // The insert fails if another process has added an entry after `last` was read.
        const stored = { ...entry, _id: (await last(signal)) + 1 } as unknown as AppendedEntry;
        try {
          await log.insertOne(stored, abortable(signal));
          return;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          await sleep(Math.random() * 20);
        }
      }
    },
    before: async (since, signal) => {
      const options = { signal, projection: { _id: 1 }, sort: { _id: 1 } } as const;
      const entry = await log.findOne({ at: { $gte: since } }, options);
      return entry === null ? undefined : entry._id - 1;
    },
    read: async (after, most, signal) => {
      const found = await log.find({ _id: { $gt: after } }, { signal, sort: { _id: 1 }, limit: most }).toArray();
      return found.map(({ _id, ...entry }) => ({ position: _id, ...entry }) as unknown as Entry);
    },
  };
}
