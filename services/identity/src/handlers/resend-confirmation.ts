import type { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Handlers } from '@knowledge/runtime/grpc';
import { v5 } from 'uuid';
import type { Authorization } from '../domain/authorization.js';
import { maskEmail } from '../domain/email.js';
import type { MailLimits } from '../domain/limits.js';
import { newMail } from '../domain/mail.js';
import { invalidCode, requireExpiredCode } from '../domain/mailed-code.js';
import { optionalSecretCode } from '../domain/secret.js';
import type { AuthorizationStore } from '../store/authorizations.js';

export interface ResendParts {
  authorizations: AuthorizationStore;
  limits: MailLimits;
  wakeOutbox: () => void;
}

/**
 * Stores another confirmation mail after the code has expired, within the limits. If a confirmation mail still waits to
 * be sent, it stores none.
 */
export function resendConfirmation({
  authorizations,
  limits,
  wakeOutbox,
}: ResendParts): Handlers<IdentityServiceService>['resendConfirmation'] {
  return async ({ code, clientAddress }, call) => {
    const read = optionalSecretCode(code);
    if (read === undefined) throw invalidCode();
    const found = await authorizations.find(read.id, call);
    requireExpiredCode(found, read, call.now);
    if (found === undefined) throw invalidCode();
    const mailId = v5(`${read.hash} ${call.requestId}`, namespace);
    if (hasMail(found, mailId)) return { maskedEmail: maskEmail(found.email) };
    const unit = { kind: 'authorization' as const, id: mailId, email: found.email, address: clientAddress };
    await limits.take(unit, call);
    const mail = newMail(mailId, 'confirmation', call.now, call.traceparent);
    await authorizations.change(
      read.id,
      (authorization) => {
        requireExpiredCode(authorization, read, call.now);
        return hasMail(authorization, mailId)
          ? { result: undefined }
          : { change: { set: {}, mail }, result: undefined };
      },
      call,
    );
    limits.keep(unit);
    wakeOutbox();
    return { maskedEmail: maskEmail(found.email) };
  };
}

// A mail id is derived from the old confirmation code, so a repeated request sends no second mail.
const namespace = '3c1a9d8e-0f5d-5b7a-9b66-0d9f1f6a4c21';

function hasMail({ mails }: Authorization, mailId: string): boolean {
  return mails.some(({ id, purpose, state }) => id === mailId || (purpose === 'confirmation' && state === 'pending'));
}
