import { randomUUID } from 'node:crypto';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { hasCode, type KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { presentLimit } from '../../present/limit.js';
import { presentPrompt, promptStates } from '../../present/prompt.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { noFaults } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { onlyFor } from '../http/only-for.js';
import { callOf, staffOf } from '../http/session.js';
import { confirmPage } from '../layout/confirm-page.js';
import { sendPage } from '../layout/send-page.js';
import { hasRole } from '../staff/has-role.js';
import type { WebDesk } from '../web-desk.js';
import { gapsPage } from './gaps-page.js';
import { readMost } from './most-read.js';
import { mostOfQuestion, promptFaults, readPromptForm, toCreateRequest } from './prompt-form.js';
import { promptFormPage, promptList, promptPage, promptWriters } from './prompt-pages.js';

const changes = [
  {
    page: 'activate',
    method: 'activatePrompt',
    title: 'Open this prompt now',
    warning: 'Readers see the question at once. The active prompt of the site closes for good.',
  },
  {
    page: 'close',
    method: 'closePrompt',
    title: 'Close this prompt',
    warning: 'It accepts no more replies, and can never be opened again.',
  },
] as const;

/** Registers the pages of editors for prompts, and for what readers search and do not find. */
export function registerPrompts(app: FastifyInstance, { connect }: WebDesk): void {
  const prompts = connect('contributions', PromptServiceService);
  const content = connect('content', ContentServiceService);
  const searches = connect('content', SearchCountServiceService);
  const quota = connect('quota', QuotaAdminServiceService);
  type OnePrompt = { Params: { id: string } };

  const read = async (request: FastifyRequest, id: string) => {
    const { prompt, history } = await prompts.getPromptRecord({ id }, callOf(request));
    return { prompt: presentPrompt(requireField(prompt)), history };
  };

  app.get('/prompts', async (request, reply) => {
    const filter = { site: formField(request.query, 'site'), state: formField(request.query, 'state') };
    const wire = { site: sites.toWire(filter.site), state: promptStates.toWire(filter.state) };
    const page = { ...wire, pageSize: 50, pageToken: formField(request.query, 'page', 1024) };
    return sendPage(reply, promptList(await prompts.listPrompts(page, callOf(request)), filter, staffOf(request)));
  });

  app.get('/prompts/gaps', async (request, reply) => {
    const mostOf = (name: string) => readMost({ searches, content }, sites.toWire(name), callOf(request));
    const [gaps, most, { limits }] = await Promise.all([
      searches.listSearchGaps({ limit: 200 }, callOf(request)),
      Promise.all(sites.words.map(mostOf)),
      quota.listLimits({}, callOf(request)),
    ]);
    return sendPage(
      reply,
      gapsPage(gaps, most.flat(), limits.map(presentLimit), hasRole(staffOf(request), ...promptWriters)),
    );
  });

  app.get('/prompts/new', onlyFor(...promptWriters), async (request, reply) =>
    sendPage(reply, promptFormPage(readPromptForm(request.query, randomUUID()), noFaults, csrfTokenOf(reply))),
  );

  app.post('/prompts/new', async (request, reply) => {
    const form = readPromptForm(request.body, randomUUID());
    try {
      await prompts.createPrompt(toCreateRequest(form), callOf(request));
      return reply.redirect(`/prompts/${encodeURIComponent(form.id)}`, 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return sendPage(reply, promptFormPage(form, promptFaults(error as KnowledgeError), csrfTokenOf(reply)));
    }
  });

  app.get<OnePrompt>('/prompts/:id', async (request, reply) => {
    const { prompt, history } = await read(request, request.params.id);
    return sendPage(reply, promptPage(prompt, history, staffOf(request), csrfTokenOf(reply)));
  });

  app.post<OnePrompt>('/prompts/:id/correct', async (request, reply) => {
    const { id } = request.params;
    const question = formField(request.body, 'question', mostOfQuestion).trim();
    try {
      await prompts.correctPrompt({ id, question, reason: '' }, callOf(request));
      return reply.redirect(`/prompts/${encodeURIComponent(id)}`, 303);
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      const { prompt, history } = await read(request, id);
      return sendPage(
        reply,
        promptPage(prompt, history, staffOf(request), csrfTokenOf(reply), {
          question,
          faults: promptFaults(error as KnowledgeError),
        }),
      );
    }
  });

  for (const { page, method, title, warning } of changes) {
    app.get<OnePrompt>(`/prompts/:id/${page}`, onlyFor(...promptWriters), async (request, reply) => {
      const { prompt } = await read(request, request.params.id);
      const back = `/prompts/${prompt.id}`;
      // Somebody else closed it, or its time came.
      if (prompt.state === 'closed') return reply.redirect(back, 303);
      const question = {
        title: `${title}: ${prompt.question}`,
        warning,
        button: title,
        action: `${back}/${page}`,
        back,
      };
      return sendPage(reply, confirmPage({ ...question, withoutReason: true, hidden: {} }, csrfTokenOf(reply)));
    });
    app.post<OnePrompt>(`/prompts/:id/${page}`, async (request, reply) => {
      const { id } = request.params;
      await prompts[method]({ id }, callOf(request));
      return reply.redirect(`/prompts/${encodeURIComponent(id)}`, 303);
    });
  }
}
