import { type TransactionScope, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import type { Authorization, AuthorizationChange } from '../domain/authorization.js';
import { revokeGrant } from '../domain/revoke.js';
import { revoke, type Token, type TokenEnd } from '../domain/token.js';
import type { Act } from '../domain/transition.js';
import { changeUpdate } from './change-update.js';
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
  /** Revokes a token by its id; gives it as it is then, undefined if there is none. Again, it changes nothing. */
  revokeToken(id: string, act: Act, signal: AbortSignal): Promise<Token | undefined>;
}

export function createGrantStore(client: MongoClient, db: Db): GrantStore {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);

  const changeAuthorization = async (before: Authorization, change: AuthorizationChange, scope: TransactionScope) => {
    await authorizations.updateOne({ _id: before.id }, changeUpdate(before, change), scope);
  };

  const endToken = async ({ hash }: Token, { set, transition }: TokenEnd, scope: TransactionScope) => {
    const update = { $set: { ...set, logSince: transition.at }, $push: { history: transition } };
    await tokens.updateOne({ _id: hash }, update, scope);
  };

  const revokeAuthorization = async (id: string, act: Act, scope: TransactionScope): Promise<boolean> => {
    const document = await authorizations.findOne({ _id: id }, scope);
    const change = document && revokeGrant(toAuthorization(document), act);
    if (!document || !change) return false;
    await changeAuthorization(toAuthorization(document), change, scope);
    return true;
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
    revokeToken: (id, act, signal) =>
      withTransaction(
        client,
        async (scope) => {
          const document = await tokens.findOne({ id }, scope);
          if (document === null) return undefined;
          const token = toToken(document);
          const end = revoke(token, act);
          if (end === undefined) return token;
          await endToken(token, end, scope);
          await revokeAuthorization(token.authorizationId, act, scope);
          return { ...token, ...end.set, history: [...token.history, end.transition] };
        },
        { signal },
      ),
  };
}
