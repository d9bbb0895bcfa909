import { ArticleState, ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf, staffOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { changeLines, faultsOf, type HighlightLine, noFaults, readHighlightForm, toChoices } from './highlight-form.js';
import { type HighlightsView, highlightsPage, highlightsReading } from './highlights-page.js';
import { whoSaved } from './who-saved.js';

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
    const offered = { site, state: ArticleState.PUBLISHED, pageSize: 200, pageToken: '' };
    const { articles } = await editorial.listArticleRecords(offered, callOf(request));
    const entries = articles.map(({ entry }) => requireField(entry));
    return sendPage(reply, highlightsPage({ ...view, site, offered: entries }, csrfTokenOf(reply)));
  };

  /** The line of a published article. Throws `validation_error` for any other name. */
  const lineOf = async (request: FastifyRequest, slug: string): Promise<HighlightLine> => {
    const site = siteOf(request);
    const where = `of ${sites.fromWire(site)}`;
    try {
      const { article } = await editorial.getArticleRecord({ site, slug }, callOf(request));
      const { entry, state } = requireField(article);
      if (state === ArticleState.PUBLISHED) return { slug, title: requireField(entry).title, note: '' };
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error;
    }
    throw new KnowledgeError('validation_error', `${slug} is not a published article ${where}.`);
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
      ...{ revision, stored: stored.lines, faults: noFaults, pressed: act },
    };
    try {
      if (added !== '' && !lines.some(({ slug }) => slug === added)) {
        lines = [await lineOf(request, added), ...lines];
        view = { ...view, pressed: `down:${added}` };
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
