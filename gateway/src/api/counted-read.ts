import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNotModified, type ReadyResponse } from '../http/send-read.js';
import { callContextOf } from '../upstream/call-context.js';
import { rateLimitHeaders } from '../upstream/quota/quota.js';
import type { Gateway } from './gateway.js';
import { subjectOf } from './subject.js';
import { readsUsedUp } from './used-up.js';

/**
 * Reads a response and counts it as an article read of the caller (gateway/PROTOCOL.md#what-counts). A 304, a HEAD and
 * a failed read are free. Throws read_quota_exceeded; the reply then has the quota headers.
 */
export async function countedRead<R extends ReadyResponse>(
  request: FastifyRequest,
  reply: FastifyReply,
  { tokens, quota }: Pick<Gateway, 'tokens' | 'quota'>,
  read: () => R | Promise<R>,
): Promise<R> {
  const context = callContextOf(request);
  const subject = await subjectOf(request, tokens, context);
  const response = await read();
  if (request.method === 'HEAD' || isNotModified(request, response.etag)) return response;
  const { granted, allowance } = await quota.consume(subject.charges, context);
  reply.headers(rateLimitHeaders(allowance));
  if (granted) return response;
  throw readsUsedUp(allowance, subject.kind === 'verified_email');
}

/** Whether the caller sends headers that only agents send. Article pages count for agents, and are free for people. */
export function callsItselfAgent({ headers }: FastifyRequest): boolean {
  return headers['x-agent-client-id'] !== undefined || /^\s*bearer\b/i.test(headers.authorization ?? '');
}
