import { mailboxOf } from '@knowledge/runtime';
import type { Db, Document } from 'mongodb';
import type { Authorization, AuthorizationChange } from '../domain/authorization.js';
import type { Token, TokenEnd } from '../domain/token.js';
import type { Transition } from '../domain/transition.js';

interface WithLogMark {
  /** Set while the transition log may lack transitions of this document; the value is the time of the oldest one. */
  logSince?: Date;
}

export type AuthorizationDocument = Omit<Authorization, 'id'> &
  WithLogMark & {
    _id: string;
    /** The mailbox of the e-mail. */
    mailbox: string;
  };

/** A stored token. Its `_id` is the hash, because the service looks up tokens by their hash. */
type TokenDocument = Omit<Token, 'hash'> & WithLogMark & { _id: string };

export const authorizationsOf = (db: Db) => db.collection<AuthorizationDocument>('authorizations');
export const tokensOf = (db: Db) => db.collection<TokenDocument>('tokens');

/** Makes a new database document. `logSince` marks that the transition log lacks its first transition. */
export function authorizationDocument({ id, ...rest }: Authorization): AuthorizationDocument {
  return { _id: id, ...rest, mailbox: mailboxOf(rest.email), logSince: rest.createdAt };
}

/** Makes a new database document. `logSince` marks that the transition log lacks its first transition. */
export function tokenDocument({ hash, ...rest }: Token): TokenDocument {
  return { _id: hash, ...rest, logSince: rest.createdAt };
}

export function toAuthorization(document: AuthorizationDocument): Authorization {
  const { _id, logSince: _since, mailbox: _mailbox, ...rest } = document;
  return { id: _id, ...rest };
}

export function toToken({ _id, logSince: _, ...rest }: TokenDocument): Token {
  return { hash: _id, ...rest };
}

/** Makes the MongoDB update for a change. It also marks the transition for the log and the mail for the outbox. */
export function changeUpdate(
  before: Authorization,
  { set, transition, mail }: AuthorizationChange,
  request: Pick<Transition, 'requestId'> = {},
): Document {
  return {
    $set: {
      ...set,
      revision: before.revision + 1,
      ...(transition && { logSince: transition.at }),
      ...(mail && { mailsDueAt: mail.dueAt }),
    },
    ...((transition || mail) && {
      $push: { ...(transition && { history: { ...request, ...transition } }), ...(mail && { mails: mail }) },
    }),
  };
}

/** Makes the MongoDB update for the end of a token. It also marks the transition for the log. */
export function endUpdate({ set, transition }: TokenEnd): Document {
  return { $set: { ...set, logSince: transition.at }, $push: { history: transition } };
}
