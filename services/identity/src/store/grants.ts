import { type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import type { Authorization, AuthorizationChange } from '../domain/authorization.js';
import { revokeGrant } from '../domain/revoke.js';
import { revoke, type Token } from '../domain/token.js';
import type { Act } from '../domain/transition.js';
import { changeUpdate, endUpdate } from './change-update.js';
import {
  authorizationDocument,
  authorizationsOf,
  toAuthorization,
  tokenDocument,
  tokensOf,
  toToken,
} from './documents.js';

/** What changes a token together with the request that it comes from: both or neither. */
export interface GrantStore {
  /** Records a token that support made, with the record whose mail tells its human. */
  issueDirectly(authorization: Authorization, token: Token, signal: AbortSignal): Promise<void>;
  /** Makes the token of a request as decided on the request as it stands; undefined if that is not to be. */
  issue<Made extends { change: AuthorizationChange; token: Token }>(
    id: string,
    decide: (authorization: Authorization) => Made | undefined,
    signal: AbortSignal,
  ): Promise<Made | undefined>;
  /** Revokes a token by its id; gives it as it is then, undefined if there is none. Again, it changes nothing. */
  revokeToken(id: string, act: Act, signal: AbortSignal): Promise<Token | undefined>;
  /** Revokes a grant, its token fetched or not; tells whether that changed anything. */
  revokeGrant(authorizationId: string, act: Act, signal: AbortSignal): Promise<boolean>;
}

export function createGrantStore(client: MongoClient, db: Db): GrantStore {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);

  const findAuthorization = async (id: string, scope: TransactionScope): Promise<Authorization | undefined> => {
    const document = await authorizations.findOne({ _id: id }, scope);
    return document === null ? undefined : toAuthorization(document);
  };

  const changeAuthorization = async (before: Authorization, change: AuthorizationChange, scope: TransactionScope) => {
    await authorizations.updateOne({ _id: before.id }, changeUpdate(before, change), scope);
  };

  // The token first: it is what opens things. Both are one transaction all the same.
  const revokeBoth = async (token: Token | undefined, id: string, act: Act, scope: TransactionScope) => {
    const end = token && revoke(token, act);
    if (token && !end) return { end, changed: false };
    if (token && end) await tokens.updateOne({ _id: token.hash }, endUpdate(end), scope);
    const before = await findAuthorization(id, scope);
    const change = before && revokeGrant(before, act);
    if (before && change) await changeAuthorization(before, change, scope);
    return { end, changed: end !== undefined || change !== undefined };
  };

  return {
    issueDirectly: (authorization, token, signal) =>
      withTransaction(
        client,
        async (scope) => {
          await authorizations.insertOne(authorizationDocument(authorization), scope);
          await tokens.insertOne(tokenDocument(token), scope);
        },
        { signal },
      ),
    issue: (id, decide, signal) =>
      withTransaction(
        client,
        async (scope) => {
          const before = await findAuthorization(id, scope);
          const made = before && decide(before);
          if (!before || !made) return undefined;
          await changeAuthorization(before, made.change, scope);
          await tokens.insertOne(tokenDocument(made.token), scope);
          return made;
        },
        { signal },
      ),
    revokeToken: (id, act, signal) =>
      withTransaction(
        client,
        async (scope) => {
          const document = await tokens.findOne({ id }, scope);
          if (document === null) return undefined;
          const token = toToken(document);
          const { end } = await revokeBoth(token, token.authorizationId, act, scope);
          return end === undefined ? token : { ...token, ...end.set, history: [...token.history, end.transition] };
        },
        { signal },
      ),
    revokeGrant: (authorizationId, act, signal) =>
      withTransaction(
        client,
        async (scope) => {
          const grant = (await findAuthorization(authorizationId, scope))?.grant;
          const document = grant && (await tokens.findOne({ _id: grant.tokenHash }, scope));
          return (await revokeBoth(document ? toToken(document) : undefined, authorizationId, act, scope)).changed;
        },
        { signal },
      ),
  };
}
