import { type CallContext, earlier, idRange, type ListPageQuery } from '@knowledge/runtime';
import { abortable, isDuplicateKey, listPage } from '@knowledge/runtime/mongodb';
import type { Db, Filter } from 'mongodb';
import type { Authorization, AuthorizationChange, AuthorizationState } from '../domain/authorization.js';
import type { EarlierDecisions } from '../domain/block.js';
import { userCodeHash } from '../domain/secret.js';
import { requestersOf } from './people.js';
import {
  type AuthorizationDocument,
  authorizationDocument,
  authorizationsOf,
  changeUpdate,
  toAuthorization,
} from './schema.js';

const newestFirst = { createdAt: -1, _id: -1 } as const;

export interface AuthorizationFilter {
  email?: string | undefined;
  state?: AuthorizationState | undefined;
  idPrefix?: string | undefined;
  requestId?: string | undefined;
  userCode?: string | undefined;
  agentName?: string | undefined;
}

/** The change that the rule decided, and the result for the caller. */
export interface DecidedChange<Result> {
  change?: AuthorizationChange | undefined;
  result: Result;
}

export type AuthorizationStore = ReturnType<typeof createAuthorizationStore>;

/** Stores authorizations. Changes that also change tokens are in `grants.ts`. */
export function createAuthorizationStore(db: Db) {
  const authorizations = authorizationsOf(db);

  const find = async (id: string, { signal }: CallContext) => {
    const document = await authorizations.findOne({ _id: id }, { signal });
    return document === null ? undefined : toAuthorization(document);
  };

  /** The condition for a user code. Of a code that the human must type only a hash with the id is stored. */
  const withCode = async (code: string, { signal }: CallContext): Promise<Filter<AuthorizationDocument>> => {
    const options = { signal, projection: { userCodeHash: 1 }, sort: newestFirst, limit: 5_000 };
    const typed = await authorizations.find({ userCodeHash: { $type: 'string' } }, options).toArray();
    const ids = typed.filter(({ _id, userCodeHash: hash }) => hash === userCodeHash(_id, code)).map(({ _id }) => _id);
    const letters = code.toUpperCase().replace(/[\s-]/g, '');
    return { $or: [{ userCode: `${letters.slice(0, 4)}-${letters.slice(4)}` }, { _id: { $in: ids } }] };
  };

  return {
    find,
    /** Stores a new authorization. Returns false if the id exists. */
    async insert(authorization: Authorization, call: CallContext) {
      try {
        const { requestId } = call;
        const history = authorization.history.map((transition) => ({ requestId, ...transition }));
        await authorizations.insertOne(authorizationDocument({ ...authorization, history }), abortable(call.signal));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Lists authorizations, newest first. */
    async list(asked: AuthorizationFilter, query: ListPageQuery, call: CallContext) {
      const coded = asked.userCode === undefined ? [] : [await withCode(asked.userCode, call)];
      const filter = { $and: [...conditions(asked, call.now), ...coded] };
      const list = { filter, order: newestFirst, toItem: toAuthorization };
      return listPage(authorizations, list, query, { signal: call.signal });
    },
    /** Lists the newest 200 authorizations of an e-mail or mailbox that are pending, or confirmed and without a token. */
    async listOpen(whose: { email: string } | { mailbox: string }, { signal, now }: CallContext) {
      const filter = { ...whose, $or: [isPending(now), isConfirmed(now)] };
      const found = await authorizations.find(filter, { signal }).sort(newestFirst).limit(200).toArray();
      return found.map(toAuthorization);
    },
    /** The authorization of a renewal chain whose token was issued last. */
    async latestGrant(
      { email, rootAuthorizationId }: Pick<Authorization, 'email' | 'rootAuthorizationId'>,
      { signal }: CallContext,
    ) {
      const filter = { email, rootAuthorizationId, grant: { $ne: null } };
      const found = await authorizations.findOne(filter, { signal, sort: { 'grant.issuedAt': -1 } });
      return found === null ? undefined : toAuthorization(found);
    },
    /** Whether a stored authorization of this e-mail or mailbox was confirmed by its human or issued by support. */
    async hasConfirmed(whose: { email: string } | { mailbox: string }, { signal }: CallContext) {
      const filter = { ...whose, $or: [{ decision: 'confirm' as const }, { origin: 'support' as const }] };
      return (await authorizations.findOne(filter, { signal, projection: { _id: 1 } })) !== null;
    },
    /** What a human decided about the newest 200 requests to a mailbox that were declined or have a token. */
    async decisions(mailbox: string, { signal }: CallContext): Promise<EarlierDecisions> {
      const states = ['declined', 'issued'] as const;
      const options = { signal, projection: { agentName: 1, decidedAt: 1, state: 1 }, sort: newestFirst, limit: 200 };
      const found = await authorizations.find({ mailbox, state: { $in: [...states] } }, options).toArray();
      const ids = found.filter(({ state }) => state === 'declined').map(({ _id }) => _id);
      const requesters = await requestersOf(db)
        .find({ _id: { $in: ids } }, { signal, projection: { address: 1 } })
        .toArray();
      const addresses = new Map(requesters.map(({ _id, address }) => [_id, address]));
      return {
        declined: found
          .filter(({ state }) => state === 'declined')
          .map(({ _id, agentName, decidedAt }) => ({ agentName, decidedAt, address: addresses.get(_id) ?? '' })),
        agentNames: found.filter(({ state }) => state === 'issued').map(({ agentName }) => agentName),
      };
    },
    /**
     * Changes an authorization by compare-and-set. If another write was faster, `decide` runs again on the new document.
     * Returns undefined if the id is unknown.
     */
    async change<Result>(
      id: string,
      decide: (authorization: Authorization) => DecidedChange<Result>,
      call: CallContext,
    ) {
      for (;;) {
        const before = await find(id, call);
        if (before === undefined) return undefined;
        const { change, result } = decide(before);
        if (change === undefined) return result;
        const unchanged = { _id: id, revision: before.revision };
        const { matchedCount } = await authorizations.updateOne(
          unchanged,
          changeUpdate(before, change, { requestId: call.requestId }),
          abortable(call.signal),
        );
        if (matchedCount === 1) return result;
        call.signal.throwIfAborted();
      }
    },
    /** Makes the links in all mails useless, but those of requests that wait for their human. */
    async endLinks(email: string, call: CallContext) {
      const decided = { email, state: { $ne: 'pending' as const } };
      await authorizations.updateMany(decided, { $set: { codes: [] } }, abortable(call.signal));
    },
    /** Stores the time of a poll. Returns false if the poll is too early or the authorization is not pending. */
    async poll(id: string, intervalMs: number, call: CallContext) {
      const late = earlier(call.now, intervalMs);
      const { matchedCount } = await authorizations.updateOne(
        { _id: id, state: 'pending', $or: [{ lastPolledAt: null }, { lastPolledAt: { $lte: late } }] },
        { $set: { lastPolledAt: call.now } },
        abortable(call.signal),
      );
      return matchedCount === 1;
    },
    /** Lists the ids of authorizations that housekeeping must change now. */
    async listDue(limit: number, { signal, now }: CallContext) {
      const options = { signal, projection: { _id: 1 }, sort: { timerAt: 1 }, limit } as const;
      const found = await authorizations.find({ timerAt: { $lte: now } }, options).toArray();
      return found.map(({ _id }) => _id);
    },
  };
}

function conditions(filter: AuthorizationFilter, now: Date): Filter<AuthorizationDocument>[] {
  const { email, state, idPrefix, requestId, agentName } = filter;
  return [
    email === undefined ? { state: { $ne: 'erased' } } : { email },
    ...(idPrefix === undefined ? [] : [{ _id: idRange(idPrefix) }]),
    ...(requestId === undefined ? [] : [{ 'history.requestId': requestId }]),
    ...(agentName === undefined ? [] : [{ agentName: { $regex: `^${literally(agentName)}$`, $options: 'i' } }]),
    ...(state ? [isIn(state, now)] : []),
  ];
}

function literally(text: string) {
  return text.replace(/[^\p{L}\p{N}]/gu, '\\$&');
}

// Filters by the state at this time, since an authorization can be expired before the database says so (see `stateAt`).
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
