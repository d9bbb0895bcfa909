import { randomUUID } from 'node:crypto';
import { Site, type Transition } from '@knowledge/proto/knowledge/common/v1/common';
import {
  type CreatePromptRequest,
  type ListPromptsResponse,
  PromptServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { Role } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { presentTransition } from '../base/transition.js';
import { requireField, sites } from '../base/words.js';
import {
  areaField,
  buttonRow,
  checkField,
  confirmPage,
  csrfField,
  type FormFaults,
  fieldsOf,
  filterForm,
  formField,
  formPage,
  hasRole,
  historyTable,
  isRefused,
  linkButton,
  mainButton,
  moreLink,
  noFaults,
  pageIn,
  partOf,
  refusal,
  type SentForm,
  type Shown,
  type StaffMember,
  selectField,
  showPage,
  siteField,
  siteTitle,
  staffOf,
  stateMark,
  tableOf,
  timeField,
  timeOf,
  timeOfField,
  titled,
  titleLink,
  type WebDesk,
} from '../pages/index.js';
import { type PromptView, presentPrompt, promptStates } from './present.js';

/** Registers the pages of editors for prompts. */
export function registerPrompts(app: FastifyInstance, { calls }: WebDesk): void {
  const prompts = calls('contributions', PromptServiceService);
  const read = async (request: FastifyRequest) => {
    const { prompt, history } = await prompts(request).getPromptRecord({ id: partOf(request) });
    return { prompt: presentPrompt(requireField(prompt)), history };
  };

  showPage(app, '/prompts', async (request) => {
    const filter = { site: formField(request.query, 'site'), state: formField(request.query, 'state') };
    const wire = { site: sites.toWire(filter.site), state: promptStates.toWire(filter.state) };
    const page = { ...wire, ...pageIn(request) };
    return promptList(await prompts(request).listPrompts(page), filter, staffOf(request));
  });

  formPage(app, '/prompts/new', {
    roles: promptWriters,
    fields: ['site', 'question', 'opens_at', 'closes_at'],
    rephrase: inLabels,
    typed: ({ body }) => readPromptForm(body, randomUUID()),
    async save(form, request) {
      await prompts(request).createPrompt(toCreateRequest(form));
      return pathOf(form.id);
    },
    async show({ query }, sent = { form: readPromptForm(query, randomUUID()), faults: noFaults }) {
      return promptFormPage(sent);
    },
  });

  formPage(app, '/prompts/:id', {
    action: '/prompts/:id/correct',
    fields: ['question'],
    rephrase: inLabels,
    typed: ({ body }) => ({ question: formField(body, 'question', mostOfQuestion).trim() }),
    async save({ question }, request) {
      const id = partOf(request);
      await prompts(request).correctPrompt({ id, question, reason: '' });
      return pathOf(id);
    },
    async show(request, sent) {
      const { prompt, history } = await read(request);
      return promptPage(prompt, history, staffOf(request), sent);
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
        await prompts(request)[method]({ id });
        return pathOf(id);
      },
    });
  }
}

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

function pathOf(id: string) {
  return `/prompts/${encodeURIComponent(id)}`;
}

/** Says the faults that name two fields with the labels of the page. */
function inLabels(message: string) {
  return message.replace('later than opens_at', 'later than Opens').replace('with activate', 'to open it now');
}

/** The roles that write, correct, open and close prompts. */
export const promptWriters: readonly Role[] = ['editor', 'moderator'];

/** The prompts of both sites, newest first. An empty text filters nothing. */
export function promptList(
  { prompts, nextPageToken }: ListPromptsResponse,
  filter: Readonly<Record<'site' | 'state', string>>,
  staff: Pick<StaffMember, 'roles'>,
): Shown {
  return titled(
    'Prompts',
    <>
      {buttonRow(hasRole(staff, ...promptWriters) && linkButton('/prompts/new', 'Write a prompt'))}
      {filterForm(
        '/prompts',
        'Show',
        siteField(filter.site, 'all'),
        selectField({
          name: 'state',
          label: 'State',
          value: filter.state,
          choices: [['', 'all'], ...promptStates.words],
        }),
      )}
      {tableOf(
        'Prompts',
        prompts.map(presentPrompt),
        {
          Question: ({ id, question }) => titleLink(`/prompts/${id}`, question),
          Site: ({ site }) => siteTitle(site),
          State: ({ state }) => stateMark(state),
          Opens: 'opens_at',
          Closes: 'closes_at',
        },
        'There are no such prompts.',
      )}
      {moreLink('More prompts', '/prompts', filter, nextPageToken)}
    </>,
  );
}

/** More than a question may have, so that the service says what is too long and nothing typed is lost. */
const mostOfQuestion = 20_000;

/** A new prompt as its form sends it. Its `id` is made with the form, so that a form that is sent twice makes one prompt. */
type PromptForm = ReturnType<typeof readPromptForm>;

export function readPromptForm(sent: FastifyRequest['body'] | FastifyRequest['query'], id: string) {
  return {
    id: formField(sent, 'id') || id,
    site: formField(sent, 'site'),
    question: formField(sent, 'question', mostOfQuestion).trim(),
    opens_at: formField(sent, 'opens_at').trim(),
    closes_at: formField(sent, 'closes_at').trim(),
    /** Whether readers see it at once. */
    activate: formField(sent, 'activate') === 'yes',
  };
}

/** @throws KnowledgeError `validation_error` that names the field. */
export function toCreateRequest({ site, opens_at, closes_at, ...form }: PromptForm): CreatePromptRequest {
  const wire = sites.toWire(site);
  if (wire === Site.UNSPECIFIED) throw new KnowledgeError('validation_error', 'site must be chosen.');
  const times = { opensAt: timeOfField('opens_at', opens_at), closesAt: timeOfField('closes_at', closes_at) };
  return { ...form, ...times, site: wire };
}

/** The form for a new prompt, with what was wrong with it. */
export function promptFormPage({ form, faults }: SentForm<PromptForm>): Shown {
  const { activate, ...typed } = form;
  const field = fieldsOf(typed, faults);
  return titled(
    'Write a prompt',
    <>
      {refusal(faults)}
      <form class="edit" method="post" action="/prompts/new" data-unsent={isRefused(faults)}>
        {csrfField({ id: form.id })}
        {siteField(form.site, 'choose', field('site', 'Site').fault)}
        {questionField(form.question, faults)}
        <div class="two">
          {timeField(field('opens_at', 'Opens', 'Empty: an editor opens it.'))}
          {timeField(field('closes_at', 'Closes', 'Empty: an editor closes it.'))}
        </div>
        {checkField({
          name: 'activate',
          checked: activate,
          label: 'Open it now. The active prompt of the site then closes for good.',
        })}
        {buttonRow(mainButton('Save the prompt'), linkButton('/prompts', 'Cancel'))}
      </form>
    </>,
  );
}

function questionField(question: string, faults: FormFaults<string>) {
  const hint = `${bounds.question.min} to ${bounds.question.max} characters. Readers see it and agents answer it.`;
  return areaField({ ...fieldsOf({ question }, faults)('question', 'Question', hint), rows: 3, required: true });
}

/** One prompt with its history and what a staff member can do with it. `correction` is a question that was refused. */
export function promptPage(
  prompt: PromptView,
  history: readonly Transition[],
  staff: Pick<StaffMember, 'roles'>,
  correction?: SentForm<{ readonly question: string }>,
): Shown {
  const { id, question, site, state, opens_at, closes_at } = prompt;
  const mayWrite = hasRole(staff, ...promptWriters);
  // A search takes ten words.
  const words = (question.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, 10).join(' ');
  const replies = new URLSearchParams({ type: 'prompt_reply', state: 'any', words });
  return titled(
    question,
    <>
      <p>
        {stateMark(state)} on {siteTitle(site)}
        {opens_at !== null && [', opens ', timeOf(opens_at)]}
        {closes_at !== null && [', closes ', timeOf(closes_at)]}
      </p>
      {buttonRow(
        mayWrite && state === 'scheduled' && linkButton(`/prompts/${id}/activate`, 'Open it now'),
        mayWrite && state !== 'closed' && linkButton(`/prompts/${id}/close`, 'Close it'),
        hasRole(staff, 'moderator') && linkButton(`/queue?${replies}`, 'Its replies'),
      )}
      {mayWrite && state === 'scheduled' && (
        <form class="edit" method="post" action={`/prompts/${id}/correct`} data-unsent={correction !== undefined}>
          {csrfField()}
          {correction && refusal(correction.faults)}
          {questionField(correction?.form.question ?? question, correction?.faults ?? noFaults)}
          <p>
            <button>Correct the question</button>
          </p>
        </form>
      )}
      {historyTable(history.map(presentTransition))}
    </>,
    { heading: <bdi>{question}</bdi> },
  );
}
