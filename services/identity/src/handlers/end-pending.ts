import { type Attribution, type CallContext, mailboxOf } from '@knowledge/runtime';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { GrantStore } from '../store/grants.js';

/** Ends all pending authorizations of a mailbox, in any spelling. Returns the number of them. */
export async function endPending(
  { authorizations, grants }: { authorizations: AuthorizationStore; grants: GrantStore },
  email: string,
  act: Attribution,
  call: CallContext,
): Promise<number> {
  let ended = 0;
  for (const { id, state } of await authorizations.listOpen({ mailbox: mailboxOf(email) }, call)) {
    if (state === 'pending' && (await grants.revokeGrant(id, act, call.signal))) ended++;
  }
  return ended;
}
