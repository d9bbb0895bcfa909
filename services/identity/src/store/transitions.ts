import { appendEntry, lastPosition, positionBefore } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import { personHash, type StoredLog } from '@knowledge/runtime/watch';
import { type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import type { Transition } from '../domain/transition.js';
import { abortable } from './call.js';
import { authorizationsOf, tokensOf } from './documents.js';

/** What has a history. */
type Subject = 'authorization' | 'token';

/** A transition in the log. */
export interface LogEntry extends Transition {
  /** Grows by one from entry to entry; 1 is the first. */
  position: number;
  subject: Subject | 'person';
  /** The id of the authorization or the token; of a person a hash of the e-mail. */
  id: string;
  /** The authorization that contributions belong to; absent for a person. */
  lineId?: string;
  /** A hash of whose it is, until the person is erased. */
  person?: string;
  /** It changed nothing: it tells who looked at what. */
  audit?: true;
  /** The name of the agent as it was when the entry was read; the log keeps none. */
  agentName?: string;
}

/** What somebody did with a person's data or mailbox without changing a state of a request or a token. */
export interface Look {
  readonly subject: LogEntry['subject'];
  readonly id: string;
  readonly person?: string;
  readonly to: 'viewed' | 'listed' | 'exported' | 'erased' | 'blocked' | 'unblocked';
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

/**
 * The log of everything that became of authorizations and tokens, in one order that all readers see. Transitions are
 * decided inside the documents that they change; `collect` brings them here, once each, whoever runs it and wherever it
 * dies: an entry takes the very next position, which succeeds only if nobody wrote since the log was looked at.
 */
export interface TransitionLog extends StoredLog<LogEntry> {
  /** Stores who looked at what; resolves when it is in the log. */
  record(look: Look, signal: AbortSignal): Promise<void>;
}

/** The collection is small and its order is one, so it stays unsharded. */
interface EntryDocument extends Omit<LogEntry, 'position' | 'agentName'> {
  /** The position. */
  _id: number;
}

/** A document with transitions that the log may lack. */
interface Source {
  /** How its collection knows it. */
  _id: string;
  subject: Subject;
  /** How the log knows it. */
  id: string;
  lineId: string;
  email: string;
  history: Transition[];
}

/** How many documents of a collection are seen to at once. */
const batch = 100;

/** `count` is told of what was brought into the log, each transition once. */
export function createTransitionLog(db: Db, count: CountTransitions = () => undefined): TransitionLog {
  const log = db.collection<EntryDocument>('transitions');
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);

  const last = (signal: AbortSignal): Promise<number> => lastPosition(log, signal);

  const waiting = async (signal: AbortSignal): Promise<Source[]> => {
    const lacking = { logSince: { $type: 'date' as const } };
    const options = {
      signal,
      projection: { id: 1, lineId: 1, email: 1, history: 1 },
      sort: { logSince: 1 },
      limit: batch,
    } as const;
    const [requests, grants] = await Promise.all([
      authorizations.find(lacking, options).toArray(),
      tokens.find(lacking, options).toArray(),
    ]);
    return [
      ...requests.map(({ _id, ...rest }) => ({ _id, subject: 'authorization' as const, ...rest, id: _id })),
      ...grants.map((grant) => ({ subject: 'token' as const, ...grant })),
    ];
  };

  const append = async (sources: Source[], position: number, signal: AbortSignal): Promise<boolean> => {
    const ids = sources.map(({ id }) => id);
    const known = await log.find({ id: { $in: ids } }, { signal, projection: { id: 1, revision: 1 } }).toArray();
    const present = new Set(known.map(({ id, revision }) => `${id} ${revision}`));
    const missing = inOrder(sources).filter(({ id, revision }) => !present.has(`${id} ${revision}`));
    if (missing.length === 0) return true;
    const entries = missing.map((entry, at) => ({ ...entry, _id: position + 1 + at }));
    try {
      await log.insertMany(entries, { ...abortable({ signal }), ordered: true });
      count(entries);
      return true;
    } catch (error) {
      if (error instanceof MongoBulkWriteError && error.code === 11_000) return false;
      throw error;
    }
  };

  const release = async (subject: Subject, sources: Source[], signal: AbortSignal): Promise<void> => {
    const collection = (subject === 'token' ? tokens : authorizations) as unknown as Collection<Released>;
    const operations = sources
      .filter((source) => source.subject === subject)
      .map(({ _id, history }) => {
        const filter = { _id, history: { $size: history.length } };
        return isErased(history)
          ? { deleteOne: { filter } }
          : { updateOne: { filter, update: { $unset: { logSince: true as const } } } };
      });
    if (operations.length > 0) await collection.bulkWrite(operations, { ...abortable({ signal }), ordered: false });
  };

  const namesOf = async (ids: string[], signal: AbortSignal): Promise<Map<string, string>> => {
    if (ids.length === 0) return new Map();
    const options = { signal, projection: { id: 1, agentName: 1 } } as const;
    const [requests, grants] = await Promise.all([
      authorizations.find({ _id: { $in: ids } }, options).toArray(),
      tokens.find({ id: { $in: ids } }, options).toArray(),
    ]);
    return new Map([
      ...requests.map(({ _id, agentName }) => [_id, agentName] as const),
      ...grants.map(({ id, agentName }) => [id, agentName] as const),
    ]);
  };

  return {
    last,
    before: (since, signal) => positionBefore(log, 'at', since, signal),
    erases: ({ to, audit }) => to === 'erased' && audit !== true,
    record: (look, signal) => appendEntry(log, { from: '', revision: 0, audit: true, ...look }, signal),
    collect: async (signal) => {
      // In this order: what is appended between the two makes the position taken, and never an entry written twice.
      const position = await last(signal);
      const sources = await waiting(signal);
      if (sources.length === 0) return false;
      if (!(await append(sources, position, signal))) {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
        return true;
      }
      const erased = sources.filter(({ history }) => isErased(history)).map(({ id }) => id);
      if (erased.length > 0) {
        // Who looked at them, and why, stays.
        const changes = { id: { $in: erased }, audit: { $exists: false } };
        await log.updateMany(changes, { $set: { reason: '' }, $unset: { person: 1 } }, abortable({ signal }));
      }
      await release('authorization', sources, signal);
      await release('token', sources, signal);
      return sources.length >= batch;
    },
    read: async (after, most, signal) => {
      const found = await log
        .find({ _id: { $gt: after } }, { signal })
        .sort({ _id: 1 })
        .limit(most)
        .toArray();
      const names = await namesOf(
        found.map(({ id }) => id),
        signal,
      );
      return found.map(({ _id, ...entry }) => {
        const agentName = names.get(entry.id);
        return { position: _id, ...entry, ...(agentName !== undefined && { agentName }) };
      });
    },
  };
}

interface Released {
  _id: string;
  history: Transition[];
  logSince?: Date;
}

function isErased(history: readonly Transition[]): boolean {
  return history.at(-1)?.to === 'erased';
}

/** All transitions by time; those of one document in the order of their revisions, whatever the clocks said. */
function inOrder(sources: readonly Source[]): Omit<EntryDocument, '_id'>[] {
  const timed = sources.flatMap(({ subject, id, lineId, email, history }) => {
    const whose = email === '' ? {} : { person: personHash(email) };
    let time = 0;
    return history.map((transition) => {
      time = Math.max(time, transition.at.getTime());
      return { time, entry: { subject, id, lineId, ...whose, ...transition } };
    });
  });
  return timed.sort((a, b) => a.time - b.time).map(({ entry }) => entry);
}
