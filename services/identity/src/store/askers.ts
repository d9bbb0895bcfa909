import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { keptAfterEndMs } from '../domain/token.js';

/** From where a request came, for support, which must see who asks people that never wanted to be asked. */
export interface Asker {
  authorizationId: string;
  email: string;
  address: string;
  clientId: string;
}

/** From where requests came, kept for as long as what has ended. */
export interface AskerStore {
  put(asker: Asker, call: CallContext): Promise<void>;
  find(authorizationIds: readonly string[], call: CallContext): Promise<Map<string, Asker>>;
}

export function createAskerStore(db: Db): AskerStore {
  const askers = askersOf(db);
  return {
    put: async ({ authorizationId, ...rest }, call) => {
      const purgeAt = new Date(call.now.getTime() + keptAfterEndMs);
      await askers.replaceOne(
        { _id: authorizationId },
        { ...rest, purgeAt },
        { ...abortable(call.signal), upsert: true },
      );
    },
    find: async (ids, { signal, now }) => {
      const found = await askers.find({ _id: { $in: [...ids] }, purgeAt: { $gt: now } }, { signal }).toArray();
      return new Map(found.map(({ _id, purgeAt: _, ...rest }) => [_id, { authorizationId: _id, ...rest }]));
    },
  };
}

/** The collection. */
export const askersOf = (db: Db) =>
  db.collection<Omit<Asker, 'authorizationId'> & { _id: string; purgeAt: Date }>('askers');
