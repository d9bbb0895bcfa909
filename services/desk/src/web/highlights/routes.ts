import { type Site, WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { type ArticleEntry, ArticleState, ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, type WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import { type CallOptions, fromServiceError } from '@knowledge/runtime/client';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { callOf, csrfTokenOf, formField, hasRole, sendPage, staffOf, type WebDesk } from '../page-parts.js';
import { changeLines, faultsOf, type HighlightLine, noFaults, readHighlightForm, toChoices } from './highlight-form.js';
import { type HighlightsView, highlightsPage, highlightsReading } from './highlights-page.js';

const path = '/articles/highlights';

/** Registers the page on which editors choose and order the highlights of a site. */
export function registerHighlights(app: FastifyInstance, { connect }: WebDesk): void {
  const content = connect('content', ContentServiceService);
  const editorial = connect('content', EditorialServiceService);

  const read = async (request: FastifyRequest) => {
    const site = siteOf(request);
    const { highlights, revision } = await content.listHighlights({ site }, callOf(request));
    const lines = highlights.map(({ entry, editorNote }) => {
      const { slug, title } = requireField(entry);
      return { slug, title, note: editorNote };
    });
    return { lines, revision };
  };

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    view: Omit<HighlightsView, 'site' | 'offered'>,
  ): Promise<FastifyReply> => {
    const site = siteOf(request);
    const offered = await findPublished(request, '');
    return sendPage(reply, highlightsPage({ ...view, site, offered }, csrfTokenOf(reply)));
  };

  const findPublished = async (request: FastifyRequest, query: string): Promise<ArticleEntry[]> => {
    const list = { site: siteOf(request), state: ArticleState.PUBLISHED, query, pageSize: 200, pageToken: '' };
    const { articles } = await editorial.listArticleRecords(list, callOf(request));
    return articles.map(({ entry }) => requireField(entry));
  };

  /** The line of the published article with this slug or title, or the only one with these words in it. */
  const lineOf = async (request: FastifyRequest, typed: string): Promise<HighlightLine> => {
    const words = typed.split(/\s+/).slice(0, 8).join(' ').slice(0, 200);
    const found = await findPublished(request, words);
    const titled = found.filter(({ title }) => title.toLowerCase() === typed.toLowerCase());
    const named = found.find(({ slug }) => slug === typed);
    const [only, ...others] = named ? [named] : titled.length > 0 ? titled : found;
    if (only !== undefined && others.length === 0) return { slug: only.slug, title: only.title, note: '' };
    const names = [only, ...others].slice(0, 10).map((each) => each?.slug);
    const problem =
      only === undefined
        ? `No published article of ${sites.fromWire(siteOf(request))} is ${typed}, or has these words in its title.`
        : `These published articles fit ${typed}: ${names.join(', ')}${others.length > 9 ? ', …' : ''}. Choose one.`;
    throw new KnowledgeError('validation_error', problem);
  };

  app.get(path, async (_request, reply) => reply.redirect(`${path}/${sites.words[0]}`, 303));

  app.get(`${path}/:site`, async (request, reply) => {
    const stored = await read(request);
    if (!hasRole(staffOf(request), 'editor')) {
      return sendPage(reply, highlightsReading({ site: siteOf(request), stored: stored.lines }));
    }
    const isSaved = formField(request.query, 'saved') !== '';
    return send(request, reply, { ...stored, stored: stored.lines, faults: noFaults, isSaved });
  });

  app.post(`${path}/:site`, async (request, reply) => {
    const { lines: sent, revision, act, added } = readHighlightForm(request);
    const stored = await read(request);
    let lines = changeLines(sent, act);
    let view: Omit<HighlightsView, 'site' | 'offered' | 'lines'> = {
      revision,
      stored: stored.lines,
      faults: noFaults,
      pressed: act,
    };
    try {
      if (added !== '') {
        const line = await lineOf(request, added);
        if (!lines.some(({ slug }) => slug === line.slug)) lines = [line, ...lines];
        view = { ...view, pressed: `down:${line.slug}` };
      }
      if (act !== 'save') return await send(request, reply, { ...view, lines });
      const site = siteOf(request);
      await editorial.setHighlights(
        { site, highlights: toChoices(lines), expectedRevision: revision },
        callOf(request),
      );
      return reply.redirect(`${path}/${sites.fromWire(site)}?saved=yes`, 303);
    } catch (error) {
      if (hasCode(error, 'invalid_state')) {
        const { revision } = stored;
        const by = await whoSaved(editorial, { site: siteOf(request), revision }, callOf(request));
        return send(request, reply, { ...view, revision, lines, late: { by } });
      }
      if (!hasCode(error, 'validation_error')) throw error;
      return send(request, reply, { ...view, lines, faults: faultsOf(error.message, lines), added });
    }
  });
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
function siteOf({ params }: FastifyRequest) {
  const { site = '' } = params as { site?: string };
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such site.');
  return sites.toWire(site);
}

/** A page is open for at most as long as its session. */
const lookBackMs = 24 * 60 * 60 * 1000;

/** Who saved this revision of the highlights of a site. Undefined if the log of the last day does not say it. */
async function whoSaved(
  editorial: EditorialClient,
  wanted: { readonly site: Site; readonly revision: number },
  call: CallOptions,
): Promise<string | undefined> {
  const until = new Date();
  const since = new Date(until.getTime() - lookBackMs);
  const filter = WatchFilter.fromPartial({ subject: 'highlights', since, until });
  const events = editorial.watchEditorial({ afterCursor: '', filter }, call) as AsyncIterable<WatchEditorialResponse>;
  let actor: string | undefined;
  try {
    for await (const { site, transition } of events) {
      if (site === wanted.site && transition?.revision === wanted.revision) actor = transition.actor;
    }
  } catch (error) {
    throw fromServiceError(error);
  }
  return actor;
}
