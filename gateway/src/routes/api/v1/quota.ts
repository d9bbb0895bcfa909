import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../../context.js';
import { timestamp } from '../../../envelope.js';
import { readQuota } from '../../../protocol/read-operations.js';
import { readerOf } from '../../../reader/reader.js';
import { askerOf, registerOperation } from '../../operation-route.js';

/** What is left of the caller's read quota, at no cost (protocol.md section 4). */
export function registerQuotaRoutes(
  app: FastifyInstance,
  { identity, quota }: Pick<Gateway, 'identity' | 'quota'>,
): void {
  registerOperation(app, readQuota, async (request, reply) => {
    const asker = askerOf(request);
    const { subject, charges } = await readerOf(request, identity, asker);
    const [own] = charges;
    if (own === undefined) throw new KnowledgeError('internal_error', 'A reader without a policy.');
    const { limit, remaining, resetAt } = await quota.peek(own, asker);
    return reply
      .header('cache-control', 'no-store')
      .send({ ok: true, quota: { subject, limit, remaining, reset_at: timestamp(resetAt ?? new Date()) } });
  });
}
