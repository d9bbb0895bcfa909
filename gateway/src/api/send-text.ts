import { type Allowance, Policy } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError, timestamp } from '@knowledge/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl, isNotModified, jsonType, type ReadyResponse, sendRead } from '../http/send-read.js';
import { limits } from '../protocol/limits.js';
import { authorize } from '../protocol/write-operations.js';
import { callContextOf } from '../upstream/calls.js';
import { rateLimitHeaders } from '../upstream/quota/quota.js';
import type { ContentForm } from './content.js';
import type { ContentResponse } from './content-response.js';
import type { Gateway } from './gateway.js';
import { subjectOf } from './subject.js';

/** Sends an article or object in the requested form, with links to its other forms. */
export function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  response: ContentResponse,
  form: ContentForm,
  cachePolicy: string,
): FastifyReply {
  reply.header('vary', 'Accept');
  if (response.links !== undefined) reply.header('link', response.links);
  return sendRead(request, reply, response, cachePolicy, formTypes[form]);
}

const formTypes: Readonly<Record<ContentForm, string>> = {
  json: jsonType,
  markdown: 'text/markdown; charset=utf-8',
};

export async function sendArticle(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, form }: { slug: string; form: ContentForm },
  gateway: Pick<Gateway, 'content' | 'tokens' | 'quota' | 'sites'>,
): Promise<FastifyReply> {
  const site = gateway.sites.of(request.query as { site?: unknown }, request.headers.host);
  const read = () => gateway.content.article(site, slug, form, callContextOf(request));
  const article = await countedRead(request, reply, gateway, read);
  return sendText(request, reply, article, form, cacheControl.article);
}

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

/** Makes the refusal for a caller that has used all reads of the day. Its message says which reads are free. */
function readsUsedUp({ policy, limit, resetAt = new Date() }: Allowance, isVerified: boolean): KnowledgeError {
  const wait = Math.ceil((resetAt.getTime() - Date.now()) / 1000);
  const whose = policy === Policy.READ_ADDRESS_CAP ? ' that your network address has for all its readers' : '';
  const more = isVerified
    ? ''
    : ` Your human can give you ${limits.readsPerDay.verifiedEmail} a day: ${authorize.method} ${authorize.path} with {"email": "<your human's address>", "agent_name": "<your name>", "scopes": []}.`;
  return new KnowledgeError(
    'read_quota_exceeded',
    `All ${limit} article reads of this UTC day${whose} are used; the next day begins at ${timestamp(resetAt)}. Listings with their summaries, search, highlights and objects stay free.${more}`,
    { retryAfterSeconds: Math.max(1, wait), metadata: { window: 'day' } },
  );
}
