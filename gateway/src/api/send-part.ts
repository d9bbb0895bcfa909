import { hasCode, timestamp } from '@knowledge/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cacheControl, isNotModified } from '../http/send-read.js';
import { callContextOf } from '../upstream/calls.js';
import { rateLimitHeaders } from '../upstream/quota/quota.js';
import type { ContentForm } from './content-response.js';
import type { Gateway } from './gateway.js';
import { endOfContinuation, type OpenRead } from './parts/continuation.js';
import type { PartResponse } from './parts/parts.js';
import { countedRead, sendText } from './send-text.js';
import { subjectOf } from './subject.js';

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
  const site = sites.of(request.query as { site?: unknown }, request.headers.host);
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

  function send(part: PartResponse, read: Unfinished, isCounted = false): FastifyReply {
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

  function urlOf(rest: OpenRead): string {
    return `${sites.base(site)}/api/v1/content/${slug}?site=${site}&continuation=${continuations.sign(rest, reader)}`;
  }

  function otherSections({ textId, whole, otherSections: anchors }: PartResponse, read: Unfinished) {
    if (whole === undefined) return null;
    return { url: `${urlOf({ ...read, section: undefined, textId, left: whole })}&section=`, anchors };
  }

  // A part that is paid for comes also while quota does not answer, then without these headers.
  async function whatIsLeft(): Promise<Record<string, string>> {
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
