import { randomUUID } from 'node:crypto';
import { type Attribution, actors, newMail } from '@knowledge/runtime';
import { isDuplicateKey, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import {
  type Authorization,
  type AuthorizationChange,
  replaceGrant,
  revokeGrant,
  stateAt,
} from '../domain/authorization.js';
import { isValid, replaceToken, revokeToken, type Token, type TokenEnd } from '../domain/token.js';
import {
  authorizationDocument,
  authorizationsOf,
  changeUpdate,
  endUpdate,
  toAuthorization,
  tokenDocument,
  tokensOf,
  toToken,
} from './schema.js';

export type GrantStore = ReturnType<typeof createGrantStore>;

/** Changes tokens and their authorizations together. Each change is one transaction. */
export function createGrantStore(client: MongoClient, db: Db) {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);

  const transact = <Result>(work: (scope: TransactionScope) => Promise<Result>, signal: AbortSignal) =>
    withTransaction(client, work, { signal });

  const findAuthorization = async (id: string, scope: TransactionScope) => {
    const document = await authorizations.findOne({ _id: id }, scope);
    return document === null ? undefined : toAuthorization(document);
  };

  const findToken = async (id: string, scope: TransactionScope) => {
    const document = await tokens.findOne({ id }, scope);
    return document === null ? undefined : toToken(document);
  };

  const endTokens = async (
    chain: RenewalChain,
    decide: (token: Token) => TokenEnd | undefined,
    scope: TransactionScope,
  ) => {
    const ended = new Set<string>();
    const active = await tokens
      .find({ email: chain.email, rootAuthorizationId: chain.rootAuthorizationId, state: 'active' }, scope)
      .toArray();
    for (const token of active.map(toToken)) {
      const end = decide(token);
      if (end === undefined) continue;
      await tokens.updateOne({ _id: token.hash }, endUpdate(end), scope);
      ended.add(token.id);
    }
    return ended;
  };

  const openRequests = async ({ email, rootAuthorizationId }: RenewalChain, scope: TransactionScope) => {
    const open = { $in: ['pending' as const, 'confirmed' as const, 'issued' as const] };
    return (await authorizations.find({ email, rootAuthorizationId, state: open }, scope).toArray()).map(
      toAuthorization,
    );
  };

  const change = async (before: Authorization, made: AuthorizationChange | undefined, scope: TransactionScope) => {
    if (made) await authorizations.updateOne({ _id: before.id }, changeUpdate(before, made), scope);
    return made !== undefined;
  };

  const endRequest = (request: Authorization, act: Attribution, mailed: boolean, scope: TransactionScope) => {
    const made = revokeGrant(request, act);
    const mail = mailed ? newMail(randomUUID(), 'ended', act.at) : undefined;
    return change(request, made && mail ? { ...made, mail } : made, scope);
  };

  /**
   * Ends all tokens and authorizations of a renewal chain and stores one mail, unless another service writes to its human.
   * Undefined if all have already ended. At most one of the tokens is valid.
   */
  const endChain = async (
    chain: RenewalChain,
    act: Attribution,
    scope: TransactionScope,
    told = false,
  ): Promise<EndedChain | undefined> => {
    // The tokens are changed before the authorizations, in the same transaction.
    const ended = await endTokens(chain, (token) => revokeToken(token, act), scope);
    let declined = 0;
    let mailed = told;
    let revoked = ended.size > 0;
    for (const request of await openRequests(chain, scope)) {
      const state = stateAt(request, act.at);
      if (state === 'issued' && !ended.has(request.grant?.tokenId ?? '')) continue;
      const first: boolean = state !== 'pending' && !mailed;
      if (!(await endRequest(request, act, first, scope))) continue;
      mailed ||= first;
      if (state === 'pending') declined++;
      else revoked = true;
    }
    return revoked || declined > 0 ? { rootAuthorizationId: chain.rootAuthorizationId, revoked, declined } : undefined;
  };

  /** Ends the older tokens of the chain, which the newest token replaces. */
  const replaceInChain = async (chain: RenewalChain, act: Attribution, scope: TransactionScope) => {
    const ended = await endTokens(chain, (token) => replaceToken(token, act), scope);
    for (const request of await openRequests(chain, scope)) {
      if (ended.has(request.grant?.tokenId ?? '')) await change(request, replaceGrant(request, act), scope);
    }
  };

  return {
    /** Stores a token that support issued, with its authorization. Returns false if the id exists. */
    async issueDirectly(authorization: Authorization, token: Token, signal: AbortSignal) {
      const insert = async (scope: TransactionScope) => {
        await authorizations.insertOne(authorizationDocument(authorization), scope);
        await tokens.insertOne(tokenDocument(token), scope);
      };
      try {
        await transact(insert, signal);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Stores the token that `decide` issues. Returns undefined if the id is unknown or `decide` issues none. */
    issue: <Made extends { change: AuthorizationChange; token: Token }>(
      id: string,
      decide: (authorization: Authorization) => Made | undefined,
      signal: AbortSignal,
    ) =>
      transact(async (scope) => {
        const before = await findAuthorization(id, scope);
        const made = before && decide(before);
        if (!before || !made) return undefined;
        const act = { actor: actors.agent, at: made.token.createdAt, reason: 'Renewed.' };
        if (before.renews !== null) await replaceInChain(before, act, scope);
        await change(before, made.change, scope);
        await tokens.insertOne(tokenDocument(made.token), scope);
        return made;
      }, signal),
    /** Revokes a token by its id and returns the changed token. Undefined if the id is unknown. The human gets a mail. */
    revokeToken: (id: string, act: Attribution, signal: AbortSignal) =>
      transact(async (scope) => {
        const token = await findToken(id, scope);
        if (token === undefined || !isValid(token, act.at)) return token;
        await endChain(token, act, scope);
        return findToken(id, scope);
      }, signal),

    /** Ends a renewal chain, also before a confirmed token is fetched. The human gets a mail, unless another service tells them. */
    endAgent: (chain: RenewalChain, act: Attribution, signal: AbortSignal, told?: boolean) =>
      transact((scope) => endChain(chain, act, scope, told), signal),

    /**
     * Ends the whole renewal chain of an authorization. For a pending authorization, only that one ends. Undefined if
     * nothing changed.
     */
    revokeGrant: (authorizationId: string, act: Attribution, signal: AbortSignal): Promise<EndedChain | undefined> =>
      transact(async (scope) => {
        const request = await findAuthorization(authorizationId, scope);
        if (request === undefined) return undefined;
        if (stateAt(request, act.at) !== 'pending') return endChain(request, act, scope);
        const ended = await endRequest(request, act, false, scope);
        return ended ? { rootAuthorizationId: request.rootAuthorizationId, revoked: false, declined: 1 } : undefined;
      }, signal),
  };
}

/** The result of ending a renewal chain. */
export interface EndedChain {
  rootAuthorizationId: string;
  /** Whether an agent had access before. */
  revoked: boolean;
  /** The number of pending authorizations that ended. */
  declined: number;
}

type RenewalChain = Pick<Authorization, 'email' | 'rootAuthorizationId'>;
