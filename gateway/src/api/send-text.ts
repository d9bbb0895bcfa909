import { type Allowance, Policy } from '@knowledge/proto/knowledge/quota/v1/quota';
import { hasCode, KnowledgeError, timestamp } from '@knowledge/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl, isNotModified, jsonType, type ReadyResponse, sendRead } from '../http/send-read.js';
import { authorize } from '../protocol/authorization.js';
import { limits } from '../protocol/limits.js';
import { callContextOf } from '../upstream/calls.js';
import { rateLimitHeaders } from '../upstream/quota/quota.js';
import type { ContentForm, ContentResponse } from './content-response.js';
import type { Gateway } from './gateway.js';
import { endOfContinuation, type OpenRead } from './parts/continuation.js';
import type { PartResponse } from './parts/parts.js';
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
  const site = gateway.sites.ofRequest(request);
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
function readsUsedUp({ policy, limit, resetAt = new Date() }: Allowance, isVerified: boolean) {
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

/** The query parameters of an article that ask for a part. */
interface PartQuery {
  readonly section?: string;
  readonly max_tokens?: number;
  readonly continuation?: string;
}

/** Whether a request for an article asks for a part of it. */
export function asksForPart({ section, max_tokens, continuation }: PartQuery): boolean {
  return section !== undefined || max_tokens !== undefined || continuation !== undefined;
}

/**
 * Sends a part of an article (gateway/PROTOCOL.md#parts). The first part of a read is counted; the parts that its links
 * lead to are not.
 */
export async function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, form, query }: { slug: string; form: ContentForm; query: PartQuery },
  gateway: Pick<Gateway, 'content' | 'tokens' | 'quota' | 'sites' | 'continuations'>,
): Promise<FastifyReply> {
  const { content, sites, tokens, quota, continuations } = gateway;
  const context = callContextOf(request);
  const site = sites.ofRequest(request);
  const { section, max_tokens: maxTokens, continuation } = query;
  const reader = await subjectOf(request, tokens, context);
  if (continuation === undefined) {
    const asked = { site, slug, maxTokens, section };
    const part = await countedRead(request, reply, gateway, () => content.part({ ...asked, form }, context));
    return send(part, { ...asked, expiresAt: endOfContinuation() }, true);
  }
  const open = continuations.open(continuation, { site, slug }, reader);
  const asked = {
    ...open,
    maxTokens: maxTokens ?? open.maxTokens,
    ...(section !== undefined && { section, left: undefined }),
  };
  const part = await content.part({ ...asked, form, rest: asked }, context);
  if (request.method !== 'HEAD' && !isNotModified(request, part.etag)) reply.headers(await whatIsLeft());
  return send(part, asked);

  function send(part: PartResponse, read: Unfinished, isCounted = false) {
    const { textId, left } = part;
    const url = left === undefined ? null : urlOf({ ...read, textId, left });
    const expires = timestamp(new Date(Math.floor(read.expiresAt / 1000) * 1000));
    const fields = {
      continuation: url,
      continuation_expires_at: url && expires,
      ...(isCounted && { other_sections: otherSections(part, read) }),
    };
    return sendText(request, reply, { ...part, body: withFields(part, form, fields) }, form, cacheControl.article);
  }

  function urlOf(rest: OpenRead) {
    return `${sites.base(site)}/api/v1/content/${slug}?site=${site}&continuation=${continuations.sign(rest, reader)}`;
  }

  function otherSections({ textId, whole, otherSections: anchors }: PartResponse, read: Unfinished) {
    if (whole === undefined) return null;
    return { url: `${urlOf({ ...read, section: undefined, textId, left: whole })}&section=`, anchors };
  }

  // A part that is paid for comes also while quota does not answer, then without these headers.
  async function whatIsLeft() {
    try {
      return rateLimitHeaders(await quota.peek(reader.charges, context));
    } catch (error) {
      if (hasCode(error, 'unavailable')) return {};
      throw error;
    }
  }
}

/** A read, except for what the part says about it. */
type Unfinished = Omit<OpenRead, 'textId' | 'left'>;

function withFields({ body, continuationAt }: PartResponse, form: ContentForm, fields: object): Buffer {
  const text =
    form === 'markdown'
      ? Object.entries(fields)
          .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
          .join('')
      : `,${JSON.stringify(fields).slice(1, -1)}`;
  return Buffer.concat([body.subarray(0, continuationAt), Buffer.from(text), body.subarray(continuationAt)]);
}
