import { randomUUID } from 'node:crypto';
import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { presentPrompt, promptStates } from '../../present/prompt.js';
import { requireField, sites } from '../../words.js';
import {
  callOf,
  confirmPage,
  formField,
  formPage,
  noFaults,
  partOf,
  showPage,
  staffOf,
  type WebDesk,
} from '../page-parts.js';
import { registerGaps } from './gaps.js';
import {
  mostOfQuestion,
  promptFormPage,
  promptList,
  promptPage,
  promptWriters,
  readPromptForm,
  toCreateRequest,
} from './pages.js';

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
export function registerPrompts(app: FastifyInstance, desk: WebDesk): void {
  const prompts = desk.connect('contributions', PromptServiceService);
  const read = async (request: FastifyRequest) => {
    const { prompt, history } = await prompts.getPromptRecord({ id: partOf(request) }, callOf(request));
    return { prompt: presentPrompt(requireField(prompt)), history };
  };

  registerGaps(app, desk);

  showPage(app, '/prompts', async (request) => {
    const filter = { site: formField(request.query, 'site'), state: formField(request.query, 'state') };
    const wire = { site: sites.toWire(filter.site), state: promptStates.toWire(filter.state) };
    const page = { ...wire, pageSize: 50, pageToken: formField(request.query, 'page', 1024) };
    return promptList(await prompts.listPrompts(page, callOf(request)), filter, staffOf(request));
  });

  formPage(app, '/prompts/new', {
    roles: promptWriters,
    fields: ['site', 'question', 'opens_at', 'closes_at'],
    rephrase: inLabels,
    typed: ({ body }) => readPromptForm(body, randomUUID()),
    async save(form, request) {
      await prompts.createPrompt(toCreateRequest(form), callOf(request));
      return pathOf(form.id);
    },
    async show({ query }, csrf, sent = { form: readPromptForm(query, randomUUID()), faults: noFaults }) {
      return promptFormPage(sent, csrf);
    },
  });

  formPage(app, '/prompts/:id', {
    action: '/prompts/:id/correct',
    fields: ['question'],
    rephrase: inLabels,
    typed: ({ body }) => ({ question: formField(body, 'question', mostOfQuestion).trim() }),
    async save({ question }, request) {
      const id = partOf(request);
      await prompts.correctPrompt({ id, question, reason: '' }, callOf(request));
      return pathOf(id);
    },
    async show(request, csrf, sent) {
      const { prompt, history } = await read(request);
      return promptPage(prompt, history, staffOf(request), csrf, sent);
    },
  });

  for (const { page, method, title, warning } of changes) {
    confirmPage(app, `/prompts/:id/${page}`, {
      roles: promptWriters,
      async ask(request) {
        const { id, state, question } = (await read(request)).prompt;
        const back = pathOf(id);
        // Somebody else closed it, or its time came.
        if (state === 'closed') return back;
        return { title: `${title}: ${question}`, warning, button: title, back, withoutReason: true };
      },
      async change(request) {
        const id = partOf(request);
        await prompts[method]({ id }, callOf(request));
        return pathOf(id);
      },
    });
  }
}

function pathOf(id: string): string {
  return `/prompts/${encodeURIComponent(id)}`;
}

/** Says the faults that name two fields with the labels of the page. */
function inLabels(message: string): string {
  return message.replace('later than opens_at', 'later than Opens').replace('with activate', 'to open it now');
}
