import type { Document } from 'mongodb';
import type { Authorization, AuthorizationChange } from '../domain/authorization.js';
import type { TokenEnd } from '../domain/token.js';

/** The update that changes an authorization. It marks the transition for the log and the mail for the outbox. */
export function changeUpdate(before: Authorization, { set, transition, mail }: AuthorizationChange): Document {
  return {
    $set: {
      ...set,
      revision: before.revision + 1,
      ...(transition && { logSince: transition.at }),
      ...(mail && { mailsDueAt: mail.dueAt }),
    },
    ...((transition || mail) && {
      $push: { ...(transition && { history: transition }), ...(mail && { mails: mail }) },
    }),
  };
}

/** The update that ends a token. It marks the transition for the log. */
export function endUpdate({ set, transition }: TokenEnd): Document {
  return { $set: { ...set, logSince: transition.at }, $push: { history: transition } };
}
