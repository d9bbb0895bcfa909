import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, MongoBulkWriteError } from 'mongodb';
import { abortable } from '../mongodb/abortable.js';
import type { CountTransitions } from '../telemetry/transitions.js';
import type { Transition } from '../transition.js';
import type { StoredLog } from '../watch/log-tail.js';
import { personHash } from '../watch/watch-filter.js';
import { createAppendLog } from './append-log.js';
import { batchSize, createLogSource, isErased, type LogSourceOptions, type Waiting } from './log-source.js';
import type { Look, TransitionEntry } from './transition.js';

/**
 * The log of every transition of a service, in one order that all readers see. A transition is decided inside the document
 * that it changes. `collect` brings it here once, whichever replica runs it and wherever that one dies: an entry takes the
 * very next position, which succeeds only if nobody wrote since the log was read.
 */
export interface TransitionLog<Entry extends TransitionEntry = TransitionEntry> extends StoredLog<Entry> {
  collect(signal: AbortSignal): Promise<boolean>;
  /** Stores who looked at what; resolves when it is in the log. */
  record(look: Look<Entry['subject']>, signal: AbortSignal): Promise<void>;
}

/** Where transitions come from. */
export interface TransitionLogOptions {
  readonly sources: readonly LogSourceOptions[];
  /** Deletes an erased document as soon as the log has its end. Without it the service does that, with `blankEntries`. */
  readonly deleteErased?: boolean;
  /** Called with what was brought into the log, each transition once. */
  readonly count?: CountTransitions | undefined;
}

const collectionName = 'transitions';

/** The log in MongoDB. */
export function createTransitionLog<Entry extends TransitionEntry>(
  db: Db,
  { sources: options, deleteErased = false, count = () => undefined }: TransitionLogOptions,
): TransitionLog<Entry> {
  const log = db.collection<StoredEntry>(collectionName);
  const entries = createAppendLog<Entry>(db, collectionName);
  const sources = options.map((source) => createLogSource(db, source));

  const append = async (waiting: readonly Waiting[], position: number, signal: AbortSignal): Promise<boolean> => {
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
      if (!(error instanceof MongoBulkWriteError) || error.code !== 11_000) throw error;
      count(missing.slice(0, error.insertedCount));
      return false;
    }
  };

  return {
    ...entries,
    // The log's older reasons of what was erased are blanked.
    erases: ({ to, audit }) => to === 'erased' && audit !== true,
    record: (look, signal) => entries.record({ from: '', revision: 0, audit: true, ...look } as never, signal),
    collect: async (signal) => {
      // In this order: what is appended between the two makes the position taken, and never an entry written twice.
      const position = await entries.last(signal);
      const found = await Promise.all(sources.map(async (source) => [source, await source.waiting(signal)] as const));
      const waiting = found.flatMap(([, each]) => each);
      if (waiting.length === 0) return false;
      if (!(await append(waiting, position, signal))) {
        await sleep(Math.random() * 30);
        return true;
      }
      if (deleteErased) await blankEntries(db, waiting.filter(isErased), signal);
      for (const [source, each] of found) await source.release(each, { deleteErased }, signal);
      return waiting.length >= batchSize;
    },
    read: async (after, most, signal) => {
      const found = await entries.read(after, most, signal);
      const names = new Map((await Promise.all(sources.map((source) => source.names(found, signal)))).flat());
      return found.map((entry) => ({ ...entry, name: names.get(entry.id) ?? '' }));
    },
  };
}

/** Takes out of the log's entries what may name an erased person: reasons and the owner. Who looked at it, and why, stays. */
export async function blankEntries(db: Db, erased: readonly { id: string }[], signal: AbortSignal): Promise<void> {
  if (erased.length === 0) return;
  const changes = { id: { $in: erased.map(({ id }) => id) }, audit: { $exists: false } };
  const blank = { $set: { reason: '' }, $unset: { person: true as const } };
  await db.collection<StoredEntry>(collectionName).updateMany(changes, blank, abortable(signal));
}

type NewEntry = Omit<TransitionEntry, 'position'>;
type StoredEntry = NewEntry & { _id: number };

/** All transitions by time; those of one document in the order of their revisions, whatever the clocks said. */
function inOrder(waiting: readonly Waiting[]): NewEntry[] {
  const timed = waiting.flatMap(({ subject, id, email, copied, history }) => {
    const owner = email === '' ? {} : { person: personHash(email) };
    let time = 0;
    return history.map((transition: Transition) => {
      time = Math.max(time, transition.at.getTime());
      return { time, entry: { subject, id, ...copied, ...owner, ...transition } };
    });
  });
  return timed.sort((a, b) => a.time - b.time).map(({ entry }) => entry);
}

function nameOf({ id, revision }: Pick<StoredEntry, 'id' | 'revision'>): string {
  return `${id} ${revision}`;
}
