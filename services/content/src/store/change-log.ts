import type { Attribution } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import { type ChangeStreamInsertDocument, type Filter, Long } from 'mongodb';
import type { Change } from '../domain/change.js';
import type { ChangeLog, CommittedChanges } from '../domain/change-log.js';
import { type ChangeDocument, type Collections, countsId, type TransitionDocument } from './documents.js';
import { indexes } from './schema.js';

/** The longest time that one read waits on the server for a change. A change ends the wait at once. */
const roundMs = 1000;

/**
 * Makes the stored log. Each transaction writes the position counter and one entry, so commits have the order of the
 * positions. Majority reads at the primary see every change that was acknowledged before.
 */
export function createChangeLog({ changes, counts }: Pick<Collections, 'changes' | 'counts'>): ChangeLog {
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

function toChange({ _id, subject, site, key, tags, transition }: ChangeDocument): Change {
  // The writer stores a site with every subject that has one.
  const what = { subject, ...(site !== undefined && { site }) } as Pick<Change, 'subject' | 'site'>;
  return { ...what, position: Number(_id), key, tags, transition: toTransition(transition) } as Change;
}

/** Whether the same request has deleted what has this name. */
export async function isDeletedBy(
  changes: Collections['changes'],
  name: Filter<ChangeDocument>,
  { actor, requestId }: Attribution,
  scope: TransactionScope,
): Promise<boolean> {
  const by = { 'transition.to': 'deleted', 'transition.actor': actor, 'transition.requestId': requestId };
  return (await changes.findOne({ ...name, ...by }, { ...scope, hint: indexes.deletions })) !== null;
}

/** Copies the fields of a stored transition that the domain uses. */
export function toTransition({ from, to, actor, at, reason, revision }: TransitionDocument) {
  return { from, to, actor, at, reason, revision };
}
