import type { Db } from 'mongodb';
import type { Authorization } from '../domain/authorization.js';
import type { Token } from '../domain/token.js';

/** What the log of transitions needs of a document that has a history. */
interface Logged {
  /** How many transitions of the history the log has. */
  logged: number;
  /** Since when it lacks some; absent if it lacks none. */
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
  return { _id: id, ...rest, logged: 0, logSince: rest.createdAt };
}

/** The document of a new token, whose first transition the log lacks. */
export function tokenDocument({ hash, ...rest }: Token): TokenDocument {
  return { _id: hash, ...rest, logged: 0, logSince: rest.createdAt };
}

/** The request of a document. */
export function toAuthorization({ _id, logged: _, logSince: __, ...rest }: AuthorizationDocument): Authorization {
  return { id: _id, ...rest };
}

/** The token of a document. */
export function toToken({ _id, logged: _, logSince: __, ...rest }: TokenDocument): Token {
  return { hash: _id, ...rest };
}
