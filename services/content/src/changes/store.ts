import { type Attribution, type CallContext, orAbort, type Site } from '@knowledge/runtime';
import {
  type CollectionDeclaration,
  isDuplicateKey,
  listOf,
  objectOf,
  type TransactionScope,
  text,
  whole,
  withTransaction,
} from '@knowledge/runtime/mongodb';
import { logSubjects, type PublishedKind } from '@knowledge/runtime/product';
import { type ChangeStreamInsertDocument, type Db, type Filter, Long, type MongoClient } from 'mongodb';
import { site, type TransitionDocument, transition } from '../base/documents.js';
import type { Change, ChangeLog, ChangeSubject, CommittedChanges, NewChange } from './log.js';

/** The index of deletions, which let the service recognise a repeated request. */
const deletions = 'deletions';

/** The `_id` of the only document in `counts`. */
export const countsId = 'content';

/** The change in the numbers of published articles and objects. */
export interface CountChange {
  readonly articles?: Partial<Record<Site, number>>;
  readonly objects?: readonly { site: Site; kind: PublishedKind; by: number }[];
}

/** A running write transaction. */
export interface Write {
  /** The transaction. Pass it to every operation. */
  readonly scope: TransactionScope;
  /** Adds entries to the log and changes the counts. The first entry comes before any other operation that writes. */
  append(added: NewChange | readonly NewChange[], move: CountChange): Promise<void>;
}

/** Writes what belongs to a change, in the same transaction. A feature uses it to delete what hung on a deleted text. */
export type ChangeCompanion = (change: NewChange, write: Write) => Promise<void>;

export type Writer = ReturnType<typeof createWriter>;

/** With `validateOnly` a put writes nothing, and says what would happen. */
export interface PutCall extends Pick<CallContext, 'signal'> {
  readonly validateOnly: boolean;
}

/**
 * Makes a writer. Every change takes its position from the same document, so changes run one after the other. Changes
 * of one process wait in a queue. If another process changes something meanwhile, the transaction runs again.
 */
export function createWriter(
  client: MongoClient,
  { changes, counts }: ChangeCollections,
  companions: readonly ChangeCompanion[] = [],
) {
  let last: Promise<unknown> = Promise.resolve();

  const run = async <T>(change: (write: Write) => Promise<T>, signal: AbortSignal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withTransaction(client, (scope) => change(writeWithin(scope)), { signal });
      } catch (error) {
        // Two writers inserted the same document. The next attempt finds the document of the other writer.
        if (attempt === 3 || !isDuplicateKey(error)) throw error;
      }
    }
  };

  const writeWithin = (scope: TransactionScope) => {
    const write: Write = { scope, append: (added, move) => append(write, [added].flat(), move) };
    return write;
  };

  const append = async (write: Write, added: readonly NewChange[], move: CountChange) => {
    const { scope } = write;
    const counted = await counts.findOneAndUpdate(
      { _id: countsId },
      { $inc: { position: Long.fromNumber(added.length), ...increments(move) } },
      { ...scope, upsert: true, returnDocument: 'after', projection: { position: 1 } },
    );
    if (counted === null) throw new Error('An upsert gave nothing back.');
    const before = Number(counted.position) - added.length;
    const entries = added.map(({ transition, tags, ...rest }, at) => {
      const _id = Long.fromNumber(before + at + 1);
      return { _id, ...rest, tags: [...tags], transition: { ...transition } };
    });
    await changes.insertMany(entries, scope);
    for (const change of added) for (const companion of companions) await companion(change, write);
  };

  return {
    /**
     * Runs `change` in one transaction, which also commits its entry of the log. A change that appends no entry must
     * write nothing.
     */
    write<T>(change: (write: Write) => Promise<T>, signal: AbortSignal) {
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
  const add = (field: string, by: number) => {
    fields[field] = (fields[field] ?? 0) + by;
  };
  for (const [site, by] of Object.entries(articles)) add(`articles.${site}`, by);
  for (const { site, kind, by } of objects) add(`objects.${site}.${kind}`, by);
  return Object.fromEntries(Object.entries(fields).filter(([, by]) => by !== 0));
}

/** The longest time that one read waits on the server for a change. A change ends the wait at once. */
const roundMs = 1000;

/**
 * Makes the stored log. Each transaction writes the position counter and one entry, so commits have the order of the
 * positions. Majority reads at the primary see every change that was acknowledged before.
 */
export function createChangeLog({ changes, counts }: ChangeCollections): ChangeLog {
  return {
    async head(signal) {
      const found = await counts.findOne({ _id: countsId }, { projection: { position: 1 }, signal });
      return Number(found?.position ?? 0);
    },
    async after(position, limit, signal) {
      const found = changes.find({ _id: { $gt: Long.fromNumber(position) } }, { signal, limit, sort: { _id: 1 } });
      return (await found.toArray()).map(toChange);
    },
    async before(since, signal) {
      const options = { signal, sort: { _id: 1 }, projection: { _id: 1 } } as const;
      const found = await changes.findOne({ 'transition.at': { $gte: since } }, options);
      return found === null ? undefined : Number(found._id) - 1;
    },
    follow(): CommittedChanges {
      const stream = changes.watch<ChangeDocument, ChangeStreamInsertDocument<ChangeDocument>>(
        [{ $match: { operationType: 'insert' } }],
        { maxAwaitTimeMS: roundMs },
      );
      const opened = new Promise<void>((resolve) => void stream.once('resumeTokenChanged', () => resolve()));
      let isOpen = false;
      let waiting: ReturnType<typeof stream.tryNext> | undefined;
      return {
        async next() {
          waiting ??= stream.tryNext();
          if (!isOpen) {
            await Promise.race([waiting, opened.then(() => (isOpen = true))]);
            if (isOpen) return undefined;
            isOpen = true;
          }
          const event = await waiting;
          waiting = undefined;
          if (event === null && stream.closed) throw new Error('The change stream was closed.');
          return event === null ? undefined : toChange(event.fullDocument);
        },
        close: () => stream.close(),
      };
    },
  };
}

function toChange({ _id, subject, site, key, tags, transition }: ChangeDocument) {
  // The writer stores a site with every subject that has one.
  const what = { subject, ...(site !== undefined && { site }) } as Pick<Change, 'subject' | 'site'>;
  return { ...what, position: Number(_id), key, tags, transition } as Change;
}

/** Whether the same request has deleted what has this name. */
export async function isDeletedBy(
  changes: ChangeCollections['changes'],
  name: Filter<ChangeDocument>,
  { actor, requestId }: Attribution,
  scope: TransactionScope,
): Promise<boolean> {
  const by = { 'transition.to': 'deleted', 'transition.actor': actor, 'transition.requestId': requestId };
  return (await changes.findOne({ ...name, ...by }, { ...scope, hint: deletions })) !== null;
}

/** A document in `changes`, the log. The log is not sharded, since it is small and needs one order. */
export interface ChangeDocument {
  /** The position of the change. */
  _id: Long | number;
  subject: ChangeSubject;
  /** The site; synonyms have none. */
  site?: Site;
  key: string;
  tags: string[];
  transition: TransitionDocument;
}

/** The only document in `counts`. Every change updates it, so changes have one order and the counts are exact. */
export interface CountsDocument {
  _id: typeof countsId;
  /** The position of the last change. */
  position: Long | number;
  /** The number of published articles by site. */
  articles: Partial<Record<Site, number>>;
  /** The number of published objects by site and kind. */
  objects: Partial<Record<Site, Partial<Record<PublishedKind, number>>>>;
}

export type ChangeCollections = ReturnType<typeof changesOf>;

export function changesOf(db: Db) {
  return { changes: db.collection<ChangeDocument>('changes'), counts: db.collection<CountsDocument>('counts') };
}

export const changesSchema: readonly CollectionDeclaration[] = [
  {
    name: 'changes',
    validator: {
      // Synonyms have no site.
      $jsonSchema: objectOf(
        {
          _id: whole,
          subject: { enum: [...logSubjects.content] },
          site,
          key: text,
          tags: listOf(text),
          transition,
        },
        ['site'],
      ),
    },
    indexes: [
      {
        name: deletions,
        key: { site: 1, key: 1 },
        partialFilterExpression: { 'transition.to': 'deleted' },
      },
      { name: 'time', key: { 'transition.at': 1 } },
    ],
  },
  {
    name: 'counts',
    validator: { $jsonSchema: objectOf({ position: whole }) },
  },
];
