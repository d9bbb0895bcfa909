import type { Db } from 'mongodb';
import type { Authorization } from '../domain/authorization.js';
import type { Token } from '../domain/token.js';

interface WithLogMark {
  /** The oldest time from which the transition log may lack transitions; absent if it has all. */
  logSince?: Date;
}

export type AuthorizationDocument = Omit<Authorization, 'id'> & WithLogMark & { _id: string };

/** The `_id` of a token is its hash, because callers find it by that. */
export type TokenDocument = Omit<Token, 'hash'> & WithLogMark & { _id: string };

export const authorizationsOf = (db: Db) => db.collection<AuthorizationDocument>('authorizations');
export const tokensOf = (db: Db) => db.collection<TokenDocument>('tokens');

/** A new document. The transition log still lacks its first transition. */
export function authorizationDocument({ id, ...rest }: Authorization): AuthorizationDocument {
  return { _id: id, ...rest, logSince: rest.createdAt };
}

/** A new document. The transition log still lacks its first transition. */
export function tokenDocument({ hash, ...rest }: Token): TokenDocument {
  return { _id: hash, ...rest, logSince: rest.createdAt };
}

export function toAuthorization({ _id, logSince: _, ...rest }: AuthorizationDocument): Authorization {
  return { id: _id, ...rest };
}

export function toToken({ _id, logSince: _, ...rest }: TokenDocument): Token {
  return { hash: _id, ...rest };
}
