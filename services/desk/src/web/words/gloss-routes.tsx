import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type PutGlossRequest, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { noFaults, readFaults, readValues } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf } from '../http/session.js';
import { confirmPage } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { fact, strange } from '../layout/values.js';
import type { WebDesk } from '../web-desk.js';
import { type GlossedText, type GlossView, glossPage, mostOfGloss } from './gloss-page.js';
import { glossPath } from './synonyms-page.js';

type Name = { readonly site: string; readonly text: string };

/** Registers the page for the English gloss of an article or an object. */
export function registerGlosses(app: FastifyInstance, { connect }: WebDesk): void {
  const words = connect('content', SearchWordsServiceService);
  const content = connect('content', ContentServiceService);
  const editorial = connect('content', EditorialServiceService);

  const readText = async (request: FastifyRequest, { site, text }: Name): Promise<GlossedText> => {
    const own = { site, name: text };
    if (isId(text)) {
      const { object } = await content.getObject({ id: text }, callOf(request));
      const { title, summary, language } = requireField(object?.entry);
      return { ...own, title, summary, language, path: `/articles/objects/${text}` };
    }
    const name = { site: sites.toWire(site), slug: text };
    const { article } = await editorial.getArticleRecord(name, callOf(request));
    const { title, summary, language } = requireField(article?.entry);
    return { ...own, title, summary, language, path: `/articles/${site}/${text}` };
  };

  const readGloss = async (request: FastifyRequest, name: Name): Promise<GlossView['stored']> => {
    try {
      return await words.getGloss({ text: toWire(name) }, callOf(request));
    } catch (error) {
      if (hasCode(error, 'not_found')) return undefined;
      throw error;
    }
  };

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: Name,
    sent?: Pick<GlossView, 'form' | 'faults'>,
  ): Promise<FastifyReply> => {
    const text = await readText(request, name);
    const stored = await readGloss(request, name);
    const form = { title: stored?.gloss?.title ?? '', summary: stored?.gloss?.summary ?? '', reason: '' };
    return sendPage(reply, glossPage({ text, stored, form, faults: noFaults, ...sent }, csrfTokenOf(reply)));
  };

  app.get(glossPath, async (request, reply) => send(request, reply, nameIn(request.query)));

  app.post(glossPath, async (request, reply) => {
    const name = nameIn(request.body);
    const { reason, ...gloss } = readValues(request, mostOfGloss);
    try {
      await words.putGloss({ text: toWire(name), gloss, reason, validateOnly: false }, callOf(request));
      return reply.redirect(pathOf(name), 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      const { code, message } = error as KnowledgeError;
      const faults = readFaults({ code, message: message.replaceAll('gloss.', '') }, ['title', 'summary', 'reason']);
      return send(request, reply, name, { form: { ...gloss, reason }, faults });
    }
  });

  app.get(`${glossPath}/remove`, async (request, reply) => {
    const name = nameIn(request.query);
    const { title } = await readText(request, name);
    const stored = await readGloss(request, name);
    if (stored === undefined) return reply.redirect(pathOf(name), 303);
    const { gloss } = stored;
    const question = {
      title: `Remove the gloss of ${title}`,
      warning: 'Readers who search in English no longer find the text by these words, and they are not kept:',
      shown: <dl class="facts">{[fact('Title', strange(gloss?.title)), fact('Summary', strange(gloss?.summary))]}</dl>,
      button: 'Remove',
      action: `${glossPath}/remove`,
      back: pathOf(name),
      hidden: { ...name },
    };
    return sendPage(reply, confirmPage(question, csrfTokenOf(reply)));
  });

  app.post(`${glossPath}/remove`, async (request, reply) => {
    const name = nameIn(request.body);
    const reason = formField(request.body, 'reason', 2000);
    await words.putGloss({ text: toWire(name), gloss: undefined, reason, validateOnly: false }, callOf(request));
    return reply.redirect(pathOf(name), 303);
  });
}

function pathOf(name: Name): string {
  return `${glossPath}?${new URLSearchParams({ ...name })}`;
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
function nameIn(sent: FastifyRequest['query'] | FastifyRequest['body']): Name {
  const site = formField(sent, 'site');
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such site.');
  return { site, text: formField(sent, 'text').trim().toLowerCase() };
}

function toWire({ site, text }: Name): NonNullable<PutGlossRequest['text']> {
  return isId(text)
    ? { $case: 'objectId', value: text }
    : { $case: 'article', value: { site: sites.toWire(site), slug: text } };
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
