import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { keptAfterEndMs } from '../domain/token.js';

/** The address and client id of a request. Support uses them if somebody sends unwanted requests. */
export interface Requester {
  authorizationId: string;
  email: string;
  address: string;
  clientId: string;
}

/** Stores requesters for as long as ended authorizations are stored. */
export interface RequesterStore {
  put(requester: Requester, call: CallContext): Promise<void>;
  find(authorizationIds: readonly string[], call: CallContext): Promise<Map<string, Requester>>;
}

export function createRequesterStore(db: Db): RequesterStore {
  const requesters = requestersOf(db);
  return {
    put: async ({ authorizationId, ...rest }, call) => {
      const purgeAt = new Date(call.now.getTime() + keptAfterEndMs);
      await requesters.replaceOne(
        { _id: authorizationId },
        { ...rest, purgeAt },
        { ...abortable(call.signal), upsert: true },
      );
    },
    find: async (ids, { signal, now }) => {
      const found = await requesters.find({ _id: { $in: [...ids] }, purgeAt: { $gt: now } }, { signal }).toArray();
      return new Map(found.map(({ _id, purgeAt: _, ...rest }) => [_id, { authorizationId: _id, ...rest }]));
    },
  };
}

export const requestersOf = (db: Db) =>
  db.collection<Omit<Requester, 'authorizationId'> & { _id: string; purgeAt: Date }>('requesters');
