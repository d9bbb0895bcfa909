import { openTestDatabase } from '@knowledge/runtime/testing';
import type { ChangeLog } from '../domain/change-log.js';
import { createChangeLog } from '../store/change-log.js';
import { type ChangeDocument, collectionsOf, countsId } from '../store/documents.js';

/** The stored change log alone: no articles belong to its changes. */
export interface StoredLog extends ChangeLog {
  /** Adds changes at the end in one transaction. An `_id` beyond the next position leaves a hole. */
  commit(...changes: Partial<ChangeDocument>[]): Promise<void>;
  /** Removes every change after a position, as a restored backup would. */
  cut(position: number): Promise<void>;
  /** Removes the database. */
  remove(): Promise<void>;
}

/** Opens an empty log in a new database. */
export function openStoredLog(name: string): StoredLog {
  const { client, db, close } = openTestDatabase(name);
  const { changes, counts } = collectionsOf(db);
  const log = createChangeLog({ changes, counts });
  return {
    ...log,
    async commit(...parts) {
      const head = await log.head(new AbortController().signal);
      const added = parts.map((part, index) => documentAt(head + 1 + index, part));
      const end = { $set: { position: added.at(-1)?._id ?? head } };
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await changes.insertMany(added, { session });
          await counts.updateOne({ _id: countsId }, end, { session, upsert: true });
        }),
      );
    },
    async cut(position) {
      await changes.deleteMany({ _id: { $gt: position } });
      await counts.updateOne({ _id: countsId }, { $set: { position } }, { upsert: true });
    },
    remove: close,
  };
}

function documentAt(position: number, part: Partial<ChangeDocument>): ChangeDocument {
  const transition = { from: '', to: 'published', actor: 'ann', at: new Date(position), reason: '', revision: 1 };
  return { _id: position, subject: 'article', site: 'org', key: `a${position}`, tags: [], transition, ...part };
}
