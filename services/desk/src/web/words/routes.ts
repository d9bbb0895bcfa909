import { SearchWordsServiceService, type Synonym } from '@knowledge/proto/knowledge/content/v1/search';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasWord } from '../../search-words/has-word.js';
import { synonymPut } from '../../search-words/synonym-entry.js';
import { noFaults, readValues } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf } from '../http/session.js';
import { confirmPage } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { registerGlosses } from './gloss-routes.js';
import { emptySynonym, formOfSynonym, groupOf, mostOfSynonym, synonymFaults, versionOf } from './synonym-form.js';
import { type SynonymsView, synonymsPage, wordsPath } from './synonyms-page.js';

const pageSize = 100;

/** Registers the pages for the words that editors keep for search. */
export function registerWords(app: FastifyInstance, desk: WebDesk): void {
  const client = desk.connect('content', SearchWordsServiceService);
  const read = async (request: FastifyRequest) => (await client.listSynonyms({}, callOf(request))).synonyms;

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    all: readonly Synonym[],
    view: Pick<SynonymsView, 'form' | 'seen' | 'faults'>,
  ): FastifyReply => {
    const word = formField(request.query, 'word');
    const from = Number(/^\d{1,6}$/.exec(formField(request.query, 'from'))?.[0] ?? 0);
    const found = all.filter((group) => hasWord(group, word));
    const next = from + pageSize < found.length ? String(from + pageSize) : '';
    const shown = { groups: found.slice(from, from + pageSize), word, next, ...view };
    return sendPage(reply, synonymsPage(shown, csrfTokenOf(reply)));
  };

  app.get(wordsPath, async (request, reply) => {
    const all = await read(request);
    const edited = all.find(({ id }) => id === formField(request.query, 'edit'));
    const form = edited === undefined ? emptySynonym : formOfSynonym(edited);
    return send(request, reply, all, { form, seen: versionOf(edited), faults: noFaults });
  });

  app.post(wordsPath, async (request, reply) => {
    const form = readValues(request, mostOfSynonym);
    const seen = formField(request.body, 'seen');
    const group = groupOf(form);
    const all = await read(request);
    const there = all.find(({ id }) => id === group.id);
    if (there !== undefined && versionOf(there) !== seen) {
      const others = [
        `There is a group ${group.id}, last changed by ${there.updatedBy}: ${[...there.from, ...there.words].join(', ')}.`,
        'If you save again, yours replaces it.',
      ];
      return send(request, reply, all, { form, seen: versionOf(there), faults: { of: {}, others } });
    }
    try {
      await client.putSynonym({ ...synonymPut(group, form.reason), validateOnly: false }, callOf(request));
      return reply.redirect(`${wordsPath}?word=${encodeURIComponent(group.words[0] ?? '')}`, 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return send(request, reply, all, { form, seen, faults: synonymFaults(error as KnowledgeError) });
    }
  });

  app.get(`${wordsPath}/delete`, async (request, reply) => {
    const id = formField(request.query, 'id');
    const group = (await read(request)).find((each) => each.id === id);
    if (group === undefined) throw new KnowledgeError('not_found', 'There is no such group of synonyms.');
    const question = {
      title: `Delete the group ${id}`,
      warning: `Searches no longer join these words, and they are not kept: ${[...group.from, ...group.words].join(', ')}.`,
      button: 'Delete',
      action: `${wordsPath}/delete`,
      back: wordsPath,
      hidden: { id },
    };
    return sendPage(reply, confirmPage(question, csrfTokenOf(reply)));
  });

  app.post(`${wordsPath}/delete`, async (request, reply) => {
    const reason = formField(request.body, 'reason', 2000);
    await client.deleteSynonym({ id: formField(request.body, 'id'), reason }, callOf(request));
    return reply.redirect(wordsPath, 303);
  });

  registerGlosses(app, desk);
}
