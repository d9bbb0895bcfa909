import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasAlready, type Sendable } from '../http/send-read.js';
import { askerOf } from '../upstream/caller.js';
import { rateLimitHeaders } from '../upstream/quota/quota.js';
import type { Gateway } from './gateway.js';
import { readerOf } from './reader.js';
import { usedUp } from './used-up.js';

/**
 * What `read` gives, counted as an article read of the caller (gateway/PROTOCOL.md#what-counts) unless they have it
 * already or ask for its headers only. Identify, fetch, count: what fails before the count costs nothing. Throws
 * read_quota_exceeded; the reply then has the headers that say where the reader stands.
 */
export async function countedRead<Answer extends Sendable>(
  request: FastifyRequest,
  reply: FastifyReply,
  { identity, quota }: Pick<Gateway, 'identity' | 'quota'>,
  read: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const asker = askerOf(request);
  const reader = await readerOf(request, identity, asker);
  const answer = await read();
  if (request.method === 'HEAD' || hasAlready(request, answer.etag)) return answer;
  const { granted, allowance } = await quota.consume(reader.charges, asker);
  reply.headers(rateLimitHeaders(allowance));
  if (granted) return answer;
  throw usedUp(allowance, reader.subject === 'verified_email');
}

/** Whether a caller says that it is an agent, so that also the page of an article counts as a read. */
export function saysAgent({ headers }: FastifyRequest): boolean {
  return headers['x-agent-client-id'] !== undefined || /^\s*bearer\b/i.test(headers.authorization ?? '');
}
