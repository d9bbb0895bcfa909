import type { Db } from 'mongodb';
import type { Authorization } from '../domain/authorization.js';
import type { Token } from '../domain/token.js';

/** What the log of transitions needs of a document that has a history. */
interface Logged {
  /** Since when the log may lack some of its transitions; absent if it lacks none. */
  logSince?: Date;
}

/** A request as it is kept. */
export type AuthorizationDocument = Omit<Authorization, 'id'> & Logged & { _id: string };

/** A token as it is kept: by its hash, which is how it is found. */
export type TokenDocument = Omit<Token, 'hash'> & Logged & { _id: string };

export const authorizationsOf = (db: Db) => db.collection<AuthorizationDocument>('authorizations');
export const tokensOf = (db: Db) => db.collection<TokenDocument>('tokens');

/** The document of a new request, whose first transition the log lacks. */
export function authorizationDocument({ id, ...rest }: Authorization): AuthorizationDocument {
  return { _id: id, ...rest, logSince: rest.createdAt };
}

/** The document of a new token, whose first transition the log lacks. */
export function tokenDocument({ hash, ...rest }: Token): TokenDocument {
  return { _id: hash, ...rest, logSince: rest.createdAt };
}

/** The request of a document. */
export function toAuthorization({ _id, logSince: _, ...rest }: AuthorizationDocument): Authorization {
  return { id: _id, ...rest };
}

/** The token of a document. */
export function toToken({ _id, logSince: _, ...rest }: TokenDocument): Token {
  return { hash: _id, ...rest };
}
