import type { MailDelivery } from '@knowledge/proto/knowledge/common/v1/common';
import type { MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { requireAttribution } from '../grpc/context.js';
import type { Handlers } from '../grpc/implement.js';
import type { AuditRecord } from '../transition-log/log-source.js';
import { aboutPerson } from '../transition-log/transition-log.js';
import type { OutboxMail, OutboxStore } from './outbox.js';

export interface MailAdminParts<Owner> {
  mails: Pick<OutboxStore<Owner>, 'failed' | 'sendAgain'>;
  transitions: { record(entry: AuditRecord<'person'>, signal: AbortSignal): Promise<void> };
  /** Wakes the outbox. */
  wake: () => void;
}

/** Shows failed mails to support and operators, and sends them again. Each sending is recorded with its actor. */
export function mailAdminHandlers<Owner extends { email: string }>({
  mails,
  transitions,
  wake,
}: MailAdminParts<Owner>): Handlers<MailAdminServiceService> {
  return {
    async listFailedMails(_request, { signal }) {
      const failed = await mails.failed(signal);
      return {
        mails: failed.map((mail) => ({
          id: mail.id,
          recordId: mail.ownerId,
          failedAt: mail.failure.at,
          delivery: toWireMail(mail),
        })),
      };
    },

    async sendMailAgain({ id, recordId, reason }, call) {
      const act = requireAttribution(call, reason);
      const owner = await mails.sendAgain(recordId, id, call.now, call.signal);
      if (owner === undefined) throw new KnowledgeError('not_found', 'No such mail waits or was given up.');
      const whose = aboutPerson(owner.email);
      await transitions.record({ ...whose, to: 'mail sent again', ...act }, call.signal);
      wake();
      return {};
    },
  };
}

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
