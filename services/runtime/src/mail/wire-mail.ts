import type { MailDelivery } from '@knowledge/proto/knowledge/common/v1/common';
import type { OutboxMail } from './outbox.js';

/** Converts a mail to its form on the wire, with its last failure. */
export function toWireMail({ purpose, state, attempts, sentAt, dueAt, failure }: OutboxMail): MailDelivery {
  return {
    purpose,
    state,
    attempts,
    sentAt: sentAt ?? undefined,
    failure: failure?.kind ?? '',
    response: failure === undefined ? '' : `${failure.stage}: ${failure.words}`,
    dueAt: state === 'pending' ? dueAt : undefined,
  };
}
