import type { CallContext } from '@knowledge/runtime';
import { idRange, type Page, type PageQuery, toPage } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import { type Db, type Filter, MongoServerError } from 'mongodb';
import type { Authorization, AuthorizationChange, AuthorizationState } from '../domain/authorization.js';
import { changeUpdate } from './change-update.js';
import { type AuthorizationDocument, authorizationDocument, authorizationsOf, toAuthorization } from './documents.js';
import { fallingAfter } from './keyset.js';

/** Which requests to list. */
interface AuthorizationFilter {
  email?: string | undefined;
  state?: AuthorizationState | undefined;
  /** Only those whose id begins so. */
  idPrefix?: string | undefined;
}

/** What to do with a request, decided on it as it stands. */
interface Step<Result> {
  change?: AuthorizationChange | undefined;
  result: Result;
}

/** The authorization requests. What changes them together with a token is in `grants.ts`. */
export interface AuthorizationStore {
  /** Records a new one; false if its id is known already. */
  insert(authorization: Authorization, call: CallContext): Promise<boolean>;
  find(id: string, call: CallContext): Promise<Authorization | undefined>;
  /** Newest first. */
  list(filter: AuthorizationFilter, query: PageQuery, call: CallContext): Promise<Page<Authorization>>;
  /** Those of an e-mail that wait for their human or their agent, newest first; at most 200. */
  waiting(email: string, call: CallContext): Promise<Authorization[]>;
  /** The one of a line whose token was made last: it is what acts now, or acted last. */
  latestGrant(line: Pick<Authorization, 'email' | 'lineId'>, call: CallContext): Promise<Authorization | undefined>;
  /** Whether an e-mail gave access, or was given it by support, and that is still kept. */
  hasConfirmed(email: string, call: CallContext): Promise<boolean>;
  /**
   * Changes one by compare-and-set: the step is decided again on what is there whenever somebody was faster. Undefined if
   * there is none.
   */
  change<Result>(
    id: string,
    decide: (authorization: Authorization) => Step<Result>,
    call: CallContext,
  ): Promise<Result | undefined>;
  /** Lets one more device code fetch the token, of which the latest four count. */
  addDevice(id: string, deviceHash: string, call: CallContext): Promise<void>;
  /** Notes a poll of a pending request; false if the last one is nearer than the interval, or it is not pending. */
  poll(id: string, intervalMs: number, call: CallContext): Promise<boolean>;
  /** The ids of those to which time does something by now. */
  due(limit: number, call: CallContext): Promise<string[]>;
}

export function createAuthorizationStore(db: Db): AuthorizationStore {
  const authorizations = authorizationsOf(db);

  const find = async (id: string, { signal }: CallContext): Promise<Authorization | undefined> => {
    const document = await authorizations.findOne({ _id: id }, { signal });
    return document === null ? undefined : toAuthorization(document);
  };

  return {
    find,
    insert: async (authorization, call) => {
      try {
        await authorizations.insertOne(authorizationDocument(authorization), abortable(call.signal));
        return true;
      } catch (error) {
        if (error instanceof MongoServerError && error.code === 11_000) return false;
        throw error;
      }
    },
    list: async (filter, { size, after }, call) => {
      const found = await authorizations
        .find({ $and: [...conditions(filter, call.now), fallingAfter('_id', after)] }, { signal: call.signal })
        .sort({ createdAt: -1, _id: -1 })
        .limit(size + 1)
        .toArray();
      return toPage(found.map(toAuthorization), size, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
    waiting: async (email, { signal, now }) => {
      const filter = { email, $or: [isPending(now), isConfirmed(now)] };
      const found = await authorizations.find(filter, { signal }).sort({ createdAt: -1, _id: -1 }).limit(200).toArray();
      return found.map(toAuthorization);
    },
    latestGrant: async ({ email, lineId }, { signal }) => {
      const filter = { email, lineId, grant: { $ne: null } };
      const found = await authorizations.findOne(filter, { signal, sort: { 'grant.issuedAt': -1 } });
      return found === null ? undefined : toAuthorization(found);
    },
    hasConfirmed: async (email, { signal }) => {
      const filter = { email, $or: [{ decision: 'confirm' as const }, { origin: 'support' as const }] };
      return (await authorizations.findOne(filter, { signal, projection: { _id: 1 } })) !== null;
    },
    change: async (id, decide, call) => {
      for (;;) {
        const before = await find(id, call);
        if (before === undefined) return undefined;
        const { change, result } = decide(before);
        if (change === undefined) return result;
        const unchanged = { _id: id, revision: before.revision };
        const { matchedCount } = await authorizations.updateOne(
          unchanged,
          changeUpdate(before, change),
          abortable(call.signal),
        );
        if (matchedCount === 1) return result;
        call.signal.throwIfAborted();
      }
    },
    addDevice: async (id, deviceHash, call) => {
      const update = { $push: { deviceHashes: { $each: [deviceHash], $slice: -4 } } };
      await authorizations.updateOne(
        { _id: id, state: { $in: ['pending', 'confirmed'] } },
        update,
        abortable(call.signal),
      );
    },
    poll: async (id, intervalMs, call) => {
      const late = new Date(call.now.getTime() - intervalMs);
      const { matchedCount } = await authorizations.updateOne(
        { _id: id, state: 'pending', $or: [{ lastPolledAt: null }, { lastPolledAt: { $lte: late } }] },
        { $set: { lastPolledAt: call.now } },
        abortable(call.signal),
      );
      return matchedCount === 1;
    },
    due: async (limit, { signal, now }) => {
      const options = { signal, projection: { _id: 1 }, sort: { timerAt: 1 }, limit } as const;
      const found = await authorizations.find({ timerAt: { $lte: now } }, options).toArray();
      return found.map(({ _id }) => _id);
    },
  };
}

function conditions({ email, state, idPrefix }: AuthorizationFilter, now: Date): Filter<AuthorizationDocument>[] {
  const named = idPrefix === undefined ? {} : { _id: idRange(idPrefix) };
  return [email === undefined ? { state: { $ne: 'erased' } } : { email }, named, ...(state ? [isIn(state, now)] : [])];
}

// As `stateAt` sees it: what is over is expired before anybody wrote that down.
function isIn(state: AuthorizationState, now: Date): Filter<AuthorizationDocument> {
  if (state === 'pending') return isPending(now);
  if (state === 'confirmed') return isConfirmed(now);
  if (state !== 'expired') return { state };
  const lapsed = [
    { state: 'pending' as const, expiresAt: { $lte: now } },
    { state: 'confirmed' as const, pickUpUntil: { $lte: now } },
  ];
  return { $or: [{ state }, ...lapsed] };
}

function isPending(now: Date) {
  return { state: 'pending' as const, expiresAt: { $gt: now } };
}

function isConfirmed(now: Date) {
  return { state: 'confirmed' as const, pickUpUntil: { $gt: now } };
}
