import type { Attribution } from '@knowledge/runtime';
import { isDuplicateKey, type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import { type Authorization, type AuthorizationChange, stateAt } from '../domain/authorization.js';
import { revokeGrant } from '../domain/revoke.js';
import { isValid, type Token } from '../domain/token.js';
import { actors } from '../domain/transition.js';
import { changeUpdate } from './change-update.js';
import {
  authorizationDocument,
  authorizationsOf,
  toAuthorization,
  tokenDocument,
  tokensOf,
  toToken,
} from './documents.js';
import { type EndedChain, renewalChainsOf } from './renewal-chains.js';

/** Changes tokens and their authorizations together. Each change is one transaction. */
export interface GrantStore {
  /** Stores a token that support issued, with its authorization. Returns false if the id exists. */
  issueDirectly(authorization: Authorization, token: Token, signal: AbortSignal): Promise<boolean>;
  /** Stores the token that `decide` issues. Returns undefined if the id is unknown or `decide` issues none. */
  issue<Made extends { change: AuthorizationChange; token: Token }>(
    id: string,
    decide: (authorization: Authorization) => Made | undefined,
    signal: AbortSignal,
  ): Promise<Made | undefined>;
  /**
   * Revokes a token by its id and returns the changed token. Undefined if the id is unknown. The human gets a mail, unless
   * another service tells them (`told`).
   */
  revokeToken(id: string, act: Attribution, signal: AbortSignal, told?: boolean): Promise<Token | undefined>;
  /**
   * Ends the whole renewal chain of an authorization. For a pending authorization, only that one ends. Undefined if
   * nothing changed.
   */
  revokeGrant(authorizationId: string, act: Attribution, signal: AbortSignal): Promise<EndedChain | undefined>;
}

export function createGrantStore(client: MongoClient, db: Db): GrantStore {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);
  const chains = renewalChainsOf(db);

  const findAuthorization = async (id: string, scope: TransactionScope): Promise<Authorization | undefined> => {
    const document = await authorizations.findOne({ _id: id }, scope);
    return document === null ? undefined : toAuthorization(document);
  };

  const findToken = async (id: string, scope: TransactionScope): Promise<Token | undefined> => {
    const document = await tokens.findOne({ id }, scope);
    return document === null ? undefined : toToken(document);
  };

  const changeAuthorization = async (before: Authorization, change: AuthorizationChange, scope: TransactionScope) => {
    await authorizations.updateOne({ _id: before.id }, changeUpdate(before, change), scope);
  };

  const endRequest = async (request: Authorization, act: Attribution, scope: TransactionScope) => {
    const change = revokeGrant(request, act);
    if (change) await changeAuthorization(request, change, scope);
    return change && { rootAuthorizationId: request.rootAuthorizationId, revoked: false, declined: 1 };
  };

  return {
    issueDirectly: async (authorization, token, signal) => {
      const insert = async (scope: TransactionScope) => {
        await authorizations.insertOne(authorizationDocument(authorization), scope);
        await tokens.insertOne(tokenDocument(token), scope);
      };
      try {
        await withTransaction(client, insert, { signal });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    issue: (id, decide, signal) =>
      withTransaction(
        client,
        async (scope) => {
          const before = await findAuthorization(id, scope);
          const made = before && decide(before);
          if (!before || !made) return undefined;
          const act = { actor: actors.agent, at: made.token.createdAt, reason: 'Renewed.' };
          if (before.renews !== null) await chains.replace(before, act, scope);
          await changeAuthorization(before, made.change, scope);
          await tokens.insertOne(tokenDocument(made.token), scope);
          return made;
        },
        { signal },
      ),
    revokeToken: (id, act, signal, told) =>
      withTransaction(
        client,
        async (scope) => {
          const token = await findToken(id, scope);
          if (token === undefined || !isValid(token, act.at)) return token;
          await chains.end(token, act, scope, told);
          return findToken(id, scope);
        },
        { signal },
      ),
    revokeGrant: (authorizationId, act, signal) =>
      withTransaction(
        client,
        async (scope) => {
          const request = await findAuthorization(authorizationId, scope);
          if (request === undefined) return undefined;
          if (stateAt(request, act.at) === 'pending') return endRequest(request, act, scope);
          return chains.end(request, act, scope);
        },
        { signal },
      ),
  };
}
