import type { Allowance } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError, timestamp } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { readQuota } from '../../protocol/read-operations.js';
import { callContextOf } from '../../upstream/call-context.js';
import { writeCharge } from '../../upstream/quota/quota.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { subjectOf } from '../subject.js';

/** Registers the route that shows a caller its reads left today and, with a token, its contributions left. */
export function registerQuotaRoutes(app: FastifyInstance, { tokens, quota }: Pick<Gateway, 'tokens' | 'quota'>): void {
  registerOperation(app, readQuota, async (request, reply) => {
    const context = callContextOf(request);
    const { kind, charges } = await subjectOf(request, tokens, context);
    const [own] = charges;
    if (own === undefined) throw new KnowledgeError('internal_error', 'A subject without a policy.');
    const email = kind === 'verified_email' ? own.subject?.value : undefined;
    const [reads, writes] = await Promise.all([
      quota.peek(charges, context),
      email === undefined ? undefined : quota.peek([writeCharge(email)], context),
    ]);
    return reply.header('cache-control', 'no-store').send({
      ok: true,
      quota: { subject: kind, ...presentAllowance(reads), ...(writes && { writes: presentAllowance(writes) }) },
    });
  });
}

function presentAllowance({ limit, remaining, resetAt }: Allowance) {
  return { limit, remaining, reset_at: timestamp(resetAt ?? new Date()) };
}
