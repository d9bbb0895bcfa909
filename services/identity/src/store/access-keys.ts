import type { Db } from 'mongodb';
import { abortable, type Call } from './call.js';

/** A key of a human's own page that belongs to no authorization; of the key itself only its hash is kept. */
export interface AccessKey {
  id: string;
  email: string;
  hash: string;
  createdAt: Date;
  /** When it ends, and is deleted. */
  purgeAt: Date;
}

/** The keys that were made for links in mails. */
export interface AccessKeyStore {
  insert(key: AccessKey, call: Call): Promise<void>;
  /** One that has not ended. */
  find(id: string, call: Call): Promise<AccessKey | undefined>;
}

export function createAccessKeyStore(db: Db): AccessKeyStore {
  const keys = accessKeysOf(db);
  return {
    insert: async ({ id, ...rest }, call) => {
      await keys.insertOne({ _id: id, ...rest }, abortable(call));
    },
    find: async (id, { signal, now }) => {
      const document = await keys.findOne({ _id: id, purgeAt: { $gt: now } }, { signal });
      if (document === null) return undefined;
      const { _id, ...rest } = document;
      return { id: _id, ...rest };
    },
  };
}

/** The collection, which erasing a person empties of theirs. */
export const accessKeysOf = (db: Db) => db.collection<Omit<AccessKey, 'id'> & { _id: string }>('access_keys');
