import type { Allowance } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { timestamp } from '../../http/envelope.js';
import { readQuota } from '../../protocol/read-operations.js';
import { askerOf } from '../../upstream/caller.js';
import { writeCharge } from '../../upstream/quota/quota.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { readerOf } from '../reader.js';

/** What the caller may still read and, with a token, still hand in today, at no cost. */
export function registerQuotaRoutes(
  app: FastifyInstance,
  { identity, quota }: Pick<Gateway, 'identity' | 'quota'>,
): void {
  registerOperation(app, readQuota, async (request, reply) => {
    const asker = askerOf(request);
    const { subject, charges } = await readerOf(request, identity, asker);
    const [own] = charges;
    if (own === undefined) throw new KnowledgeError('internal_error', 'A reader without a policy.');
    const email = subject === 'verified_email' ? own.subject?.value : undefined;
    const [reads, writes] = await Promise.all([
      quota.peek(own, asker),
      email === undefined ? undefined : quota.peek(writeCharge(email), asker),
    ]);
    return reply
      .header('cache-control', 'no-store')
      .send({ ok: true, quota: { subject, ...present(reads), ...(writes && { writes: present(writes) }) } });
  });
}

function present({ limit, remaining, resetAt }: Allowance) {
  return { limit, remaining, reset_at: timestamp(resetAt ?? new Date()) };
}
