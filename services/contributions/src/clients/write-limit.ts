import { Policy, QuotaServiceService, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc } from '@knowledge/runtime/grpc';
import { createCharges } from '@knowledge/runtime/quota';
import type { WriteLimit } from '../domain/submit.js';

/** Counts contributions against the daily limit, through the quota service. */
export function connectWriteLimit(options: ConnectOptions): WriteLimit & { close(): Promise<void> } {
  const charges = createCharges(connectGrpc(QuotaServiceService, { ...options, callerName: 'contributions' }));
  return {
    async take(id, email, call) {
      const charge = { policy: Policy.CONTRIBUTE_MAILBOX, subject: { kind: SubjectKind.EMAIL, value: email } };
      const refused = await charges.take(id, [charge], call);
      if (refused === undefined) return;
      const { limit, retryAfterSeconds } = refused;
      const message = `This mailbox has sent all ${limit} contributions of this UTC day; the next day begins at 00:00 UTC. Reads, withdrawals and new texts that a moderator asked for go on.`;
      throw new KnowledgeError('rate_limited', message, { retryAfterSeconds, metadata: { window: 'day' } });
    },
    keep: (id) => charges.keep(id),
    close: () => charges.close(),
  };
}
