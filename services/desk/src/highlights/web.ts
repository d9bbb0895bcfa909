import { type Site, WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState, ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, type WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { earlier, hasCode, KnowledgeError } from '@knowledge/runtime';
import { fromServiceError } from '@knowledge/runtime/client';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField, sites } from '../base/words.js';
import {
  type Editorial,
  formField,
  formPage,
  hasRole,
  noFaults,
  partOf,
  staffOf,
  type WebDesk,
} from '../pages/index.js';
import {
  changeLines,
  faultsOf,
  type HighlightForm,
  type HighlightLine,
  highlightsPage,
  highlightsReading,
  type Late,
  readHighlightForm,
  toChoices,
} from './web-page.js';

const path = '/articles/highlights';

/** Registers the page on which editors choose and order the highlights of a site. */
export function registerHighlights(app: FastifyInstance, { calls }: WebDesk): void {
  const content = calls('content', ContentServiceService);
  const editorial = calls('content', EditorialServiceService);

  const read = async (request: FastifyRequest) => {
    const { highlights, revision } = await content(request).listHighlights({ site: siteOf(request) });
    const lines = highlights.map(({ entry, editorNote }) => {
      const { slug, title } = requireField(entry);
      return { slug, title, note: editorNote };
    });
    return { lines, revision };
  };

  const findPublished = async (request: FastifyRequest, query: string) => {
    const list = { site: siteOf(request), state: ArticleState.PUBLISHED, query, pageSize: 200, pageToken: '' };
    const { articles } = await editorial(request).listArticleRecords(list);
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

  formPage<HighlightForm, Late>(app, `${path}/:site`, {
    fields: [],
    typed: readHighlightForm,
    async save({ added, ...form }, request) {
      const site = siteOf(request);
      const sent = { ...form, lines: changeLines(form.lines, form.act), added: '' };
      try {
        if (added !== '') {
          const line = await lineOf(request, added);
          if (!sent.lines.some(({ slug }) => slug === line.slug)) sent.lines = [line, ...sent.lines];
          sent.act = `down:${line.slug}`;
        }
        if (form.act !== 'save') return { form: sent, faults: noFaults };
        const list = { site, highlights: toChoices(sent.lines), expectedRevision: form.revision };
        await editorial(request).setHighlights(list);
        return `${path}/${sites.fromWire(site)}?saved=yes`;
      } catch (error) {
        if (hasCode(error, 'invalid_state')) {
          const { revision } = await read(request);
          const by = await whoSaved(editorial, site, revision, request);
          return { form: { ...sent, revision }, faults: noFaults, checked: { by } };
        }
        if (!hasCode(error, 'validation_error')) throw error;
        return { form: { ...sent, added }, faults: faultsOf(error.message, sent.lines) };
      }
    },
    async show(request, sent) {
      const { lines: stored, revision } = await read(request);
      const site = sites.fromWire(siteOf(request));
      if (sent === undefined && !hasRole(staffOf(request), 'editor')) return highlightsReading(site, stored);
      const offered = await findPublished(request, '');
      const isSaved = sent === undefined && formField(request.query, 'saved') !== '';
      const {
        form,
        faults,
        checked: late,
      } = sent ?? { form: { lines: stored, revision, act: '', added: '' }, faults: noFaults };
      return highlightsPage({ ...form, site, stored, offered, faults, isSaved, isSent: sent !== undefined, late });
    },
  });
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
function siteOf(request: FastifyRequest) {
  const site = partOf(request, 'site');
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such site.');
  return sites.toWire(site);
}

/** A page is open for at most as long as its session. */
const lookBackMs = 24 * 60 * 60 * 1000;

/** Who saved this revision of the highlights of a site. Undefined if the log of the last day does not say it. */
async function whoSaved(editorial: Editorial, wanted: Site, revision: number, request: FastifyRequest) {
  const until = new Date();
  const since = earlier(until, lookBackMs);
  const filter = WatchFilter.fromPartial({ subject: 'highlights', since, until });
  const events = editorial(request).watchEditorial({
    afterCursor: '',
    filter,
  }) as AsyncIterable<WatchEditorialResponse>;
  let actor: string | undefined;
  try {
    for await (const { site, transition } of events) {
      if (site === wanted && transition?.revision === revision) actor = transition.actor;
    }
  } catch (error) {
    throw fromServiceError(error);
  }
  return actor;
}
