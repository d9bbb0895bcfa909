import { Policy, QuotaServiceService, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { childDeadline, KnowledgeError } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc, fromStatus } from '@knowledge/runtime/grpc';
import { createCharges } from '@knowledge/runtime/quota';
import type { WriteLimit } from '../domain/submit.js';

const callMs = 1500;

/** Counts contributions against the daily limit, through the quota service. */
export function connectWriteLimit(options: ConnectOptions): WriteLimit & { close(): Promise<void> } {
  const client = connectGrpc(QuotaServiceService, { ...options, callerName: 'contributions', deadlineMs: callMs });
  const charges = createCharges(client);
  return {
    async take(id, email, { requestId, traceparent, deadline, signal, now }) {
      const charge = { policy: Policy.CONTRIBUTE_MAILBOX, subject: { kind: SubjectKind.EMAIL, value: email } };
      const until = { requestId, traceparent, signal, deadline: childDeadline(deadline, callMs) };
      const outcome = await charges.take(id, [charge], until);
      switch (outcome?.$case) {
        case 'granted':
          return;
        case 'refused': {
          const { limit, resetAt } = outcome.value;
          const seconds = resetAt === undefined ? 3600 : Math.ceil((resetAt.getTime() - now.getTime()) / 1000);
          const message = `This mailbox has sent all ${limit} contributions of this UTC day; the next day begins at 00:00 UTC. Reads, withdrawals and new texts that a moderator asked for go on.`;
          throw new KnowledgeError('rate_limited', message, {
            retryAfterSeconds: Math.max(1, seconds),
            metadata: { window: 'day' },
          });
        }
        case 'error':
          throw fromStatus(outcome.value);
        case undefined:
          throw new KnowledgeError('unavailable', 'The write limit cannot be checked now; try again.', {
            retryAfterSeconds: 1,
          });
      }
    },
    keep: (id) => charges.keep(id),
    close: () => charges.close(),
  };
}
