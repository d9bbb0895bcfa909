import type { MailDelivery, Transition as WireTransition } from '@knowledge/proto/knowledge/common/v1/common';
import type { AuthorizationRecord } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Authorization } from '../domain/authorization.js';
import type { Mail } from '../domain/mail.js';
import type { Transition } from '../domain/transition.js';
import type { Asker } from '../store/askers.js';
import { presentAuthorization } from './present-authorization.js';

/** A request as support sees it, without its history. */
export function presentRecord(authorization: Authorization, now: Date, asker?: Asker): AuthorizationRecord {
  return {
    authorization: presentAuthorization(authorization, now),
    email: authorization.email,
    tokenId: authorization.grant?.tokenId ?? '',
    mails: authorization.mails.map(presentMail),
    history: [],
    clientAddress: asker?.address ?? '',
    clientId: asker?.clientId ?? '',
  };
}

export function presentTransition({ from, to, actor, at, reason, revision }: Transition): WireTransition {
  return { fromState: from, toState: to, actor, occurredAt: at, reason, revision };
}

function presentMail({ purpose, state, attempts, sentAt }: Mail): MailDelivery {
  return { purpose, state, attempts, sentAt: sentAt ?? undefined };
}
