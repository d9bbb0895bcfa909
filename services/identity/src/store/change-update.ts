import type { Document } from 'mongodb';
import type { Authorization, AuthorizationChange } from '../domain/authorization.js';
import type { TokenEnd } from '../domain/token.js';
import type { Transition } from '../domain/transition.js';

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
