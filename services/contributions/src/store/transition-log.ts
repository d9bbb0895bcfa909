import { abortable, appendEntry, lastPosition, positionBefore } from '@knowledge/runtime/mongodb';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import { personHash, type StoredLog } from '@knowledge/runtime/watch';
import { type Db, MongoBulkWriteError } from 'mongodb';
import type { Site } from '../domain/site.js';
import type { Transition } from '../domain/transition.js';
import type { ContributionDocument, LogDocument, LogSubject, PromptDocument } from './documents.js';

/** One entry of the log. */
export interface LogEntry extends Transition {
  /** Grows by one from entry to entry, without gaps; 1 is the first. */
  position: number;
  subject: LogSubject;
  id: string;
  /** Absent for a person. */
  site?: Site;
  /** A hash of whose it is, until the person is erased. */
  person?: string;
  /** It changed nothing: it tells who looked at what. */
  audit?: true;
  /** The title or the question as it was when the entry was read; the log keeps none. */
  title?: string;
}

/** What somebody did with a person's data without changing a state. */
export interface Look {
  readonly subject: LogSubject;
  readonly id: string;
  readonly person?: string;
  readonly to: 'viewed' | 'listed' | 'exported' | 'erased';
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

/**
 * The log of every transition, in one order that all readers see. Transitions are decided inside the documents that they
 * change; `collect` brings them here, once each, whoever runs it and wherever it dies: an entry is written at the very next
 * position, which succeeds only if nobody wrote since the log was looked at.
 */
export interface TransitionLog extends StoredLog<LogEntry> {
  /** Stores who looked at what; resolves when it is in the log. */
  record(look: Look, signal: AbortSignal): Promise<void>;
}

/** How many documents are brought into the log at once. */
const batch = 100;

/** The log in MongoDB. `count` is told of what was brought into it, each transition once. */
export function createTransitionLog(db: Db, count: CountTransitions = () => undefined): TransitionLog {
  const log = db.collection<LogDocument>('transitions');
  const contributions = db.collection<ContributionDocument>('contributions');
  const prompts = db.collection<PromptDocument>('prompts');

  const last = (signal: AbortSignal): Promise<number> => lastPosition(log, signal);

  async function waiting(signal: AbortSignal): Promise<Waiting[]> {
    const projection = { history: 1, revision: 1, site: 1, email: 1 };
    const [fromContributions, fromPrompts] = await Promise.all([
      contributions.find({ logPending: true }, { signal, projection }).sort({ updatedAt: 1 }).limit(batch).toArray(),
      prompts.find({ logPending: true }, { signal, projection }).limit(batch).toArray(),
    ]);
    return [
      ...fromPrompts.map((document) => ({ ...document, subject: 'prompt' as const })),
      ...fromContributions.map((document) => ({ ...document, subject: 'contribution' as const })),
    ];
  }

  /** Those that are in the log already, as `id:revision`. */
  async function known(ids: string[], signal: AbortSignal): Promise<Set<string>> {
    const found = await log.find({ id: { $in: ids } }, { signal, projection: { id: 1, revision: 1 } }).toArray();
    return new Set(found.map(({ id, revision }) => `${id}:${revision}`));
  }

  async function titlesOf(ids: string[], signal: AbortSignal): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const named = { _id: { $in: ids } };
    const [fromContributions, fromPrompts] = await Promise.all([
      contributions.find(named, { signal, projection: { title: 1 } }).toArray(),
      prompts.find(named, { signal, projection: { question: 1 } }).toArray(),
    ]);
    return new Map([
      ...fromContributions.flatMap(({ _id, title }) => (title ? [[_id, title] as const] : [])),
      ...fromPrompts.map(({ _id, question }) => [_id, question] as const),
    ]);
  }

  return {
    last,

    before: (since, signal) => positionBefore(log, 'at', since, signal),
    // Reasons of an erased person are blanked in the stored log.
    erases: ({ to, audit }) => to === 'erased' && audit !== true,
    record: (look, signal) => appendEntry(log, { from: '', revision: 0, audit: true, ...look }, signal),

    async collect(signal) {
      // In this order: what was appended between the two reads makes the position taken, never an entry written twice.
      const position = await last(signal);
      const documents = await waiting(signal);
      if (documents.length === 0) return false;
      const present = await known(
        documents.map(({ _id }) => _id),
        signal,
      );
      const entries = inOrder(documents).filter(({ id, revision }) => !present.has(`${id}:${revision}`));
      const numbered = entries.map((entry, at) => ({ ...entry, _id: position + 1 + at }));
      try {
        if (numbered.length > 0) await log.insertMany(numbered, { ...abortable(signal), ordered: true });
        count(numbered);
      } catch (error) {
        if (!isTaken(error)) throw error;
        // Another replica was faster: it has brought the same entries, or some of them.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
        return true;
      }
      for (const [collection, subject] of [[contributions, 'contribution'] as const, [prompts, 'prompt'] as const]) {
        const done = documents.filter((document) => document.subject === subject);
        const clear = done.map(({ _id, revision }) => ({
          updateOne: { filter: { _id, revision }, update: { $unset: { logPending: 1 as const } } },
        }));
        // Each of the two has the type that its own filter asks.
        if (clear.length > 0) await collection.bulkWrite(clear as never, { ...abortable(signal), ordered: false });
      }
      return documents.length >= batch;
    },

    async read(after, most, signal) {
      const found = await log
        .find({ _id: { $gt: after } }, { signal })
        .sort({ _id: 1 })
        .limit(most)
        .toArray();
      const titles = await titlesOf(
        found.map(({ id }) => id),
        signal,
      );
      return found.map(({ _id, ...entry }) => {
        const title = titles.get(entry.id);
        return { position: _id, ...entry, ...(title !== undefined && { title }) };
      });
    },
  };
}

/** A document with transitions that the log may lack. */
interface Waiting extends Pick<ContributionDocument, '_id' | 'history' | 'revision' | 'site'> {
  email?: string;
  subject: 'contribution' | 'prompt';
}

/** All transitions by time; those of one document in the order of their revisions, whatever the clocks said. */
function inOrder(documents: readonly Waiting[]): Omit<LogDocument, '_id'>[] {
  const timed = documents.flatMap(({ _id: id, site, subject, email, history }) => {
    const whose = email === undefined || email === '' ? {} : { person: personHash(email) };
    let time = 0;
    return history.map((transition) => {
      time = Math.max(time, transition.at.getTime());
      return { time, entry: { subject, id, site, ...whose, ...transition } };
    });
  });
  return timed.sort((a, b) => a.time - b.time).map(({ entry }) => entry);
}

function isTaken(error: unknown): boolean {
  return error instanceof MongoBulkWriteError && error.code === 11000;
}
