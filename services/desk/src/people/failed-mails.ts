import { type FailedMail, MailAdminServiceService } from '@knowledge/proto/knowledge/mail/v1/mail_admin';
import { presented } from '../base/presented.js';
import { type Connected, withContext } from '../base/services.js';
import { requireField } from '../base/words.js';

/** The services that send mails. */
const senders = ['identity', 'contributions'] as const;

export type MailService = (typeof senders)[number];

/** A mail that failed, with the field names of the HTTP API. */
export type FailedMailView = ReturnType<typeof presentFailedMail>;

function presentFailedMail(service: MailService, { delivery, ...mail }: FailedMail) {
  return { ...presented(mail), service, ...presented(requireField(delivery)) };
}

/** Reads the failed mails of services, the last failure first. */
export async function listFailedMails(
  caller: Connected,
  services: readonly MailService[] = senders,
): Promise<FailedMailView[]> {
  const lists = services.map(async (service) => {
    const { mails } = await mailsOf(caller, service).listFailedMails({});
    return mails.map((mail) => presentFailedMail(service, mail));
  });
  return (await Promise.all(lists)).flat().sort((a, b) => ((a.failed_at ?? '') < (b.failed_at ?? '') ? 1 : -1));
}

/** Makes a mail due at once. Services store who did it, and why. */
export async function sendMailAgain(caller: Connected, mail: FailedMailView, reason: string) {
  const sent = { id: mail.id, recordId: mail.record_id, reason };
  await mailsOf(caller, mail.service).sendMailAgain(sent);
}

function mailsOf({ connect, callContext }: Connected, service: MailService) {
  return withContext(connect(service, MailAdminServiceService), callContext);
}
