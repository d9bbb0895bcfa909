import { type Charge, Policy, QuotaServiceService, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { childDeadline, KnowledgeError } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc, fromStatus } from '@knowledge/runtime/grpc';
import { createCharges } from '@knowledge/runtime/quota';
import type { AuthorizeLimits, MailUnit } from '../domain/limits.js';

/** The limits as the quota service counts them. */
export function connectLimits(options: ConnectOptions): AuthorizeLimits & { close(): Promise<void> } {
  const charges = createCharges(connectGrpc(QuotaServiceService, options));
  return {
    take: async (unit, { requestId, traceparent, deadline, signal }) => {
      const until = childDeadline(deadline, 1500);
      const outcome = await charges.take(unit.id, chargesOf(unit), { requestId, traceparent, deadline: until, signal });
      if (outcome?.$case === 'granted') return;
      if (outcome?.$case === 'refused') throw refusal(outcome.value);
      const cause = outcome && fromStatus(outcome.value);
      if (cause?.code === 'unavailable') throw cause;
      throw new KnowledgeError('internal_error', 'The limits were not counted.', { cause });
    },
    keep: ({ id }) => charges.keep(id),
    close: () => charges.close(),
  };
}

/** What one mail takes. */
export function chargesOf({ email, address }: MailUnit): Charge[] {
  const mailbox = { kind: SubjectKind.EMAIL, value: email };
  return [
    // First, so that one client is told of its own limit and not of a mailbox that it filled.
    ...(address === ''
      ? []
      : [{ policy: Policy.AUTHORIZE_ADDRESS, subject: { kind: SubjectKind.ADDRESS, value: address } }]),
    { policy: Policy.AUTHORIZE_MAILBOX, subject: mailbox },
    { policy: Policy.AUTHORIZE_MAILBOX_DAY, subject: mailbox },
  ];
}

function refusal({ policy, resetAt }: { policy: Policy; resetAt: Date | undefined }): KnowledgeError {
  const whose = policy === Policy.AUTHORIZE_ADDRESS ? 'this address' : 'this mailbox';
  const seconds = resetAt === undefined ? 60 : Math.max(1, Math.ceil((resetAt.getTime() - Date.now()) / 1000));
  return new KnowledgeError('rate_limited', `Too many authorization mails for ${whose}.`, {
    retryAfterSeconds: seconds,
  });
}
