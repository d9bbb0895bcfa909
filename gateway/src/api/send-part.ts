import { KnowledgeError, timestamp } from '@knowledge/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl } from '../http/send-read.js';
import { callContextOf } from '../upstream/call-context.js';
import type { SiteName } from '../upstream/sites.js';
import type { ContentForm } from './content-response.js';
import { countedRead } from './counted-read.js';
import type { Gateway } from './gateway.js';
import { endOfContinuation, type OpenRead } from './parts/continuation.js';
import type { PartResponse } from './parts/parts.js';
import { sendText } from './send-text.js';
import { type Subject, subjectOf } from './subject.js';

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
 * Sends a part of an article (gateway/PROTOCOL.md#parts). The first part of a read is counted; the parts that its
 * continuation leads to are not.
 */
export async function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, form, query }: { slug: string; form: ContentForm; query: PartQuery },
  gateway: Pick<Gateway, 'content' | 'tokens' | 'quota' | 'sites' | 'continuations'>,
): Promise<FastifyReply> {
  const { content, sites, tokens, continuations } = gateway;
  const context = callContextOf(request);
  const site = sites.of(request.query as { site?: unknown }, request.headers.host);
  const { section, max_tokens: maxTokens, continuation } = query;
  const reader = await subjectOf(request, tokens, context);
  const at = { site, slug, form };
  if (continuation === undefined) {
    const read = () => content.part({ ...at, maxTokens, section }, context);
    const part = await countedRead(request, reply, gateway, read);
    return send(part, { site, slug, maxTokens, section, expiresAt: endOfContinuation() });
  }
  if (section !== undefined) {
    throw new KnowledgeError(
      'validation_error',
      'section: cannot be sent with continuation, which goes on with the section that the read began with.',
    );
  }
  const open = continuations.open(continuation, { site, slug }, reader);
  const asked = { ...at, maxTokens: maxTokens ?? open.maxTokens, section: open.section, rest: open };
  return send(await content.part(asked, context), { ...open, maxTokens: asked.maxTokens });

  function send(part: PartResponse, read: Unfinished): FastifyReply {
    const url = continuationUrl(part, read, reader);
    const body = withContinuation(part, form, url, read.expiresAt);
    return sendText(request, reply, { ...part, body }, form, cacheControl.article);
  }

  function continuationUrl({ left, textId }: PartResponse, read: Unfinished, subject: Subject): string | null {
    const { maxTokens: size } = read;
    if (left === undefined || size === undefined) return null;
    const signed = continuations.sign({ ...read, maxTokens: size, textId, left }, subject);
    return `${sites.base(site)}/api/v1/content/${slug}?site=${site}&continuation=${signed}`;
  }
}

/** A read, except for what the part says about it. */
type Unfinished = Pick<OpenRead, 'slug' | 'section' | 'expiresAt'> & {
  readonly site: SiteName;
  readonly maxTokens: number | undefined;
};

function withContinuation(
  { body, continuationAt }: PartResponse,
  form: ContentForm,
  url: string | null,
  expiresAt: number,
): Buffer {
  const fields = {
    continuation: url,
    continuation_expires_at: url === null ? null : timestamp(new Date(Math.floor(expiresAt / 1000) * 1000)),
  };
  const text =
    form === 'markdown'
      ? Object.entries(fields)
          .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
          .join('')
      : `,${JSON.stringify(fields).slice(1, -1)}`;
  return Buffer.concat([body.subarray(0, continuationAt), Buffer.from(text), body.subarray(continuationAt)]);
}
