import { Policy, QuotaServiceService, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { childDeadline, KnowledgeError } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc, fromStatus } from '@knowledge/runtime/grpc';
import type { WriteLimit } from '../domain/submit.js';

const callMs = 1500;

/** The daily limit of contributions, as the quota service counts it. */
export function connectWriteLimit(options: ConnectOptions): WriteLimit & { close(): void } {
  const quota = connectGrpc(QuotaServiceService, { ...options, callerName: 'contributions', deadlineMs: callMs });
  return {
    async take(id, email, { requestId, traceparent, deadline, signal, now }) {
      const item = {
        context: { requestId, traceparent: traceparent ?? '', timeout: undefined },
        id,
        charges: [{ policy: Policy.CONTRIBUTE_MAILBOX, subject: { kind: SubjectKind.EMAIL, value: email } }],
      };
      const until = { requestId, traceparent, signal, deadline: childDeadline(deadline, callMs) };
      const { results } = await quota.consume({ items: [item] }, until);
      const outcome = results[0]?.outcome;
      switch (outcome?.$case) {
        case 'granted':
          return;
        case 'refused': {
          const { limit, resetAt } = outcome.value;
          const seconds = resetAt === undefined ? 3600 : Math.ceil((resetAt.getTime() - now.getTime()) / 1000);
          const message = `${limit} contributions a day were sent from this mailbox; the next day begins at 00:00 UTC.`;
          throw new KnowledgeError('rate_limited', message, { retryAfterSeconds: Math.max(1, seconds) });
        }
        case 'error':
          throw fromStatus(outcome.value);
        case undefined:
          throw new KnowledgeError('unavailable', 'The write limit cannot be checked now; try again.', {
            retryAfterSeconds: 1,
          });
      }
    },
    close: () => quota.close(),
  };
}
