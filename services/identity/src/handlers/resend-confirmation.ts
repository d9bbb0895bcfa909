import { randomUUID } from 'node:crypto';
import type {
  ResendConfirmationRequest,
  ResendConfirmationResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { Authorization } from '../domain/authorization.js';
import { maskEmail } from '../domain/email.js';
import type { AuthorizeLimits } from '../domain/limits.js';
import { newMail } from '../domain/mail.js';
import { invalidCode, requireExpiredCode } from '../domain/mailed-code.js';
import { readSecret } from '../domain/secret.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { callOf } from './call.js';

/** Records one more mail for a request whose code expired, within the limits; one that waits to be sent is enough. */
export function handleResendConfirmation(
  authorizations: AuthorizationStore,
  limits: AuthorizeLimits,
  wakeOutbox: () => void,
  clock: Clock,
): UnaryHandler<ResendConfirmationRequest, ResendConfirmationResponse> {
  return async ({ code, clientAddress }, context) => {
    const read = readSecret(code);
    if (read === undefined) throw invalidCode();
    const call = callOf(context, clock);
    const found = await authorizations.find(read.id, call);
    requireExpiredCode(found, read, call.now);
    if (found === undefined) throw invalidCode();
    if (waitsForMail(found)) return { maskedEmail: maskEmail(found.email) };
    const unit = { kind: 'authorization' as const, id: randomUUID(), email: found.email, address: clientAddress };
    await limits.take(unit, context);
    const mail = newMail(randomUUID(), 'confirmation', call.now, call.traceparent);
    await authorizations.change(
      read.id,
      (authorization) => {
        requireExpiredCode(authorization, read, call.now);
        return waitsForMail(authorization) ? { result: undefined } : { change: { set: {}, mail }, result: undefined };
      },
      call,
    );
    limits.keep(unit);
    wakeOutbox();
    return { maskedEmail: maskEmail(found.email) };
  };
}

function waitsForMail({ mails }: Authorization): boolean {
  return mails.some(({ purpose, state }) => purpose === 'confirmation' && state === 'pending');
}
