import { actors } from '@knowledge/runtime';
import { abortable, type TransactionScope } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type AuthorizationEnd, accessEndedError } from '../domain/contribution.js';
import type { Contributor } from '../domain/submission.js';

/** A document in `authorizations`. Each contribution writes it, so that none can be stored after the end. */
export interface AuthorizationDocument {
  _id: string;
  /** The person's e-mail, which earlier releases stored. */
  email?: string;
  /** The number of contributions that this authorization has sent. */
  contributions?: number;
  endedAt?: Date;
  endedBy?: string;
}

/** A document in `followers`: the position in the log of another service. */
interface FollowerDocument {
  _id: string;
  cursor: string;
}

/** Stores what this service needs to know about authorizations: their ends and numbers of contributions. */
export function createAuthorizationStore(db: Db) {
  const authorizations = db.collection<AuthorizationDocument>('authorizations');
  const followers = db.collection<FollowerDocument>('followers');

  return {
    /**
     * Stores the end of an authorization, so that later contributions are refused. A second end changes nothing. An end by
     * the clock refuses nothing: the token of a renewal can be fetched after the one before has expired.
     */
    async end(id: string, { at, by }: AuthorizationEnd, signal: AbortSignal) {
      const first = { $eq: [{ $ifNull: ['$endedBy', actors.system] }, actors.system] };
      const noted = { endedAt: { $cond: [first, at, '$endedAt'] }, endedBy: { $cond: [first, by, '$endedBy'] } };
      await authorizations.updateOne({ _id: id }, [{ $set: noted }, { $unset: 'email' }], {
        ...abortable(signal),
        upsert: true,
      });
    },

    /** Returns the ends by authorization id. Authorizations that have not ended are left out. */
    async ends(ids: readonly string[], signal: AbortSignal) {
      const ended = { _id: { $in: [...new Set(ids)] }, endedAt: { $type: 'date' } } as const;
      const found = await authorizations.find(ended, { signal }).toArray();
      return new Map(found.map(({ _id, endedAt, endedBy = '' }) => [_id, { at: endedAt as Date, by: endedBy }]));
    },

    /** @throws KnowledgeError `invalid_token` if the authorization has ended. */
    async refuseEnded(id: string, signal: AbortSignal) {
      const found = await authorizations.findOne(
        { _id: id, endedAt: { $type: 'date' }, endedBy: { $ne: actors.system } },
        { signal },
      );
      if (found !== null) throw accessEndedError();
    },

    /**
     * Adds one to the number of contributions of an authorization and returns the number. It runs in the transaction that
     * stores the contribution. A simultaneous end writes the same document, so one of the two must wait.
     *
     * @throws KnowledgeError `invalid_token` if the authorization has ended.
     */
    async count({ authorizationId }: Contributor, scope: TransactionScope) {
      const counted = await authorizations.findOneAndUpdate(
        { _id: authorizationId },
        { $inc: { contributions: 1 }, $unset: { email: 1 } },
        { ...scope, upsert: true, returnDocument: 'after' },
      );
      if (counted?.endedAt !== undefined) {
        if (counted.endedBy !== actors.system) throw accessEndedError();
        await authorizations.updateOne({ _id: authorizationId }, { $unset: { endedAt: 1, endedBy: 1 } }, scope);
      }
      return counted?.contributions ?? 1;
    },

    /** The cursor in the identity service's log of ended authorizations. */
    async cursor(signal: AbortSignal) {
      return (await followers.findOne({ _id: follower }, { signal }))?.cursor ?? '0';
    },

    async moveCursor(cursor: string, signal: AbortSignal) {
      await followers.updateOne({ _id: follower }, { $set: { cursor } }, { ...abortable(signal), upsert: true });
    },
  };
}

export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>;

const follower = 'ended_authorizations';
