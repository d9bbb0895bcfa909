import type { Allowance } from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError, refuse, timestamp } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { strongEtag } from '../../http/etags.js';
import { apiForm } from '../../http/negotiation.js';
import { cacheControl, sendPrivate, sendRead } from '../../http/send-read.js';
import { timeOrNull } from '../../present/article.js';
import { listContent, readContent } from '../../protocol/articles.js';
import { listCurated } from '../../protocol/highlights.js';
import { limits } from '../../protocol/limits.js';
import { listObjects, readObject } from '../../protocol/objects.js';
import { readOutline } from '../../protocol/outline.js';
import { readActivePrompt } from '../../protocol/prompts.js';
import { readQuota } from '../../protocol/quota.js';
import { search } from '../../protocol/search.js';
import { callContextOf, callOf, required } from '../../upstream/calls.js';
import { writeCharge } from '../../upstream/quota/quota.js';
import { toWireSite } from '../../upstream/sites.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { sendListing } from '../send-listing.js';
import { asksForPart, sendArticle, sendPart, sendText } from '../send-text.js';
import { subjectOf } from '../subject.js';

/** Registers the routes of the index, the highlights and the articles (gateway/PROTOCOL.md#articles). */
export function registerContentRoutes(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'content' | 'continuations' | 'fastPath' | 'tokens' | 'quota' | 'sites'>,
): void {
  const { content, fastPath, sites } = gateway;
  registerOperation(app, listContent, (request, reply) => {
    const { cursor = '', limit = limits.pageSize.default, q = '', updated_since, fields } = request.query;
    const site = sites.ofRequest(request);
    const tag = notBlank('tag', request.query.tag);
    const updatedSince = timeOf(updated_since);
    const asked = { site, cursor, limit, q: q.trim(), tag, updatedSince, brief: fields === 'brief' };
    return sendListing(request, reply, () => content.index(asked, callContextOf(request)), fastPath);
  });

  registerOperation(app, listCurated, (request, reply) => {
    const site = sites.ofRequest(request);
    const brief = request.query.fields === 'brief';
    return sendListing(request, reply, () => content.curated(site, callContextOf(request), brief), fastPath);
  });

  registerOperation(app, readContent, (request, reply) => {
    const { query, params } = request;
    const asked = { slug: params.slug, form: apiForm(request) };
    // Without these parameters nothing of parts is involved, and the bytes are the same for every reader.
    return asksForPart(query)
      ? sendPart(request, reply, { ...asked, query }, gateway)
      : sendArticle(request, reply, asked, gateway);
  });

  registerOperation(app, readOutline, (request, reply) => {
    const site = sites.ofRequest(request);
    // A cache asks before it shows the headings of an article, which may be withdrawn by then.
    reply.header('cache-control', cacheControl.object);
    return sendListing(
      request,
      reply,
      () => content.outline(site, request.params.slug, callContextOf(request)),
      fastPath,
    );
  });
}

// Validation accepts a leap second (23:59:60), which a Date cannot represent.
function timeOf(text: string | undefined) {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    refuse('updated_since: must be a time like 2026-06-01T09:00:00Z, without a leap second');
  }
  return time;
}

/** Registers the search over articles and objects (gateway/PROTOCOL.md#search). */
export function registerSearchRoutes(
  app: FastifyInstance,
  { content, sites }: Pick<Gateway, 'content' | 'sites'>,
): void {
  registerOperation(app, search, async (request, reply) => {
    const { query, headers } = request;
    const { kind = '', language = '', cursor = '', limit = limits.searchSize.default, passages = 1 } = query;
    const site = query.site === 'all' ? query.site : sites.of({ site: query.site }, headers.host);
    const q = notBlank('q', query.q);
    const [tag, author] = [notBlank('tag', query.tag), notBlank('author', query.author)];
    const isBrief = query.fields === 'brief';
    const asked = { site, q, kind, language, tag, author, limit, passages, isBrief, cursor };
    const read = async () => {
      const response = await content.search(asked, callContextOf(request));
      if (cursor === '') request.searched = { query: q, found: response.found ?? [] };
      return response;
    };
    return sendListing(request, reply, read);
  });
}

/** Registers the routes of the catalog and its objects (gateway/PROTOCOL.md#objects). */
export function registerObjectRoutes(
  app: FastifyInstance,
  { content, fastPath, sites }: Pick<Gateway, 'content' | 'fastPath' | 'sites'>,
): void {
  registerOperation(app, listObjects, (request, reply) => {
    const { kind, cursor = '', limit = limits.pageSize.default, q = '', fields } = request.query;
    const site = sites.ofRequest(request);
    const asked = { site, kind, cursor, limit, q: q.trim(), brief: fields === 'brief' };
    return sendListing(request, reply, () => content.catalog(asked, callContextOf(request)), fastPath);
  });

  registerOperation(app, readObject, async (request, reply) => {
    const form = apiForm(request);
    const object = await content.object(request.params.id, form, callContextOf(request));
    return sendText(request, reply, object, form, cacheControl.object);
  });
}

/** Registers the route of the active community prompt (gateway/PROTOCOL.md#reads). */
export function registerPromptRoutes(
  app: FastifyInstance,
  { clients, sites }: Pick<Gateway, 'clients' | 'sites'>,
): void {
  registerOperation(app, readActivePrompt, async (request, reply) => {
    const site = sites.ofRequest(request);
    const { prompt } = await clients.contributions.getActivePrompt({ site: toWireSite(site) }, callOf(request));
    if (prompt === undefined) throw new KnowledgeError('not_found', 'No community prompt is active on this site.');
    const { id, question, opensAt, closesAt } = prompt;
    const body = Buffer.from(
      JSON.stringify({
        ok: true,
        prompt: {
          id,
          question,
          opens_at: timeOrNull(opensAt),
          closes_at: timeOrNull(closesAt),
        },
      }),
    );
    return sendRead(request, reply, { body, etag: strongEtag(body) }, cacheControl.object);
  });
}

/** Registers the route that shows a caller its reads left today and, with a token, its contributions left. */
export function registerQuotaRoutes(app: FastifyInstance, { tokens, quota }: Pick<Gateway, 'tokens' | 'quota'>): void {
  registerOperation(app, readQuota, async (request, reply) => {
    const context = callContextOf(request);
    const { kind, charges } = await subjectOf(request, tokens, context);
    const [own] = charges;
    const email = kind === 'verified_email' ? required(own).subject?.value : undefined;
    const [reads, writes] = await Promise.all([
      quota.peek(charges, context),
      email === undefined ? undefined : quota.peek([writeCharge(email)], context),
    ]);
    return sendPrivate(reply, {
      quota: { subject: kind, ...presentAllowance(reads), ...(writes && { writes: presentAllowance(writes) }) },
    });
  });
}

function presentAllowance({ limit, remaining, resetAt }: Allowance) {
  return { limit, remaining, reset_at: timestamp(resetAt ?? new Date()) };
}

/** Returns a parameter without spaces around it; empty if it was not sent. Spaces alone are refused as an empty value is. */
function notBlank(name: string, value: string | undefined) {
  const text = value?.trim();
  if (text === '') refuse(`${name}: must not be empty`);
  return text ?? '';
}
