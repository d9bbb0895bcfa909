import type { Transition } from '@knowledge/proto/knowledge/common/v1/common';
import type { ListPromptsResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Role } from '@knowledge/runtime/grpc';
import type { Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { type PromptView, presentPrompt, promptStates } from '../../present/prompt.js';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, checkField, selectField, timeField } from '../forms/fields.js';
import { type FormFaults, fieldsOf, noFaults } from '../forms/form-values.js';
import { isRefused, refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, moreLink, tableOf } from '../layout/tables.js';
import { changeWords, siteChoices, siteTitle, stateMark, timeOf } from '../layout/values.js';
import { hasRole } from '../staff/has-role.js';
import type { StaffMember } from '../staff/staff-member.js';
import type { PromptField, PromptForm } from './prompt-form.js';

/** The roles that write, correct, open and close prompts. */
export const promptWriters: readonly Role[] = ['editor', 'moderator'];

/** Which prompts the list shows; empty for all. */
export interface PromptFilter {
  readonly site: string;
  readonly state: string;
}

/** The prompts of both sites, newest first. */
export function promptList(
  { prompts, nextPageToken }: ListPromptsResponse,
  filter: PromptFilter,
  staff: Pick<StaffMember, 'roles'>,
): Shown {
  const main = (
    <>
      <h1>Prompts</h1>
      {buttonRow(hasRole(staff, ...promptWriters) && linkButton('/prompts/new', 'Write a prompt'))}
      <form class="filters" method="get" action="/prompts">
        {siteField(filter.site, 'all')}
        {selectField({ name: 'state', label: 'State', value: filter.state, choices: [all, ...promptStates.words] })}
        <button>Show</button>
      </form>
      {tableOf('Prompts', prompts.map(presentPrompt), promptColumns, 'There are no such prompts.')}
      {moreLink('More prompts', '/prompts', { ...filter, page: nextPageToken }, nextPageToken)}
    </>
  );
  return { title: 'Prompts', main };
}

const all = ['', 'all'] as const;

function siteField(value: string, none: string, fault?: string): Html {
  return selectField({ name: 'site', label: 'Site', value, fault, choices: [['', none], ...siteChoices] });
}

const promptColumns: readonly Column<PromptView>[] = [
  {
    header: 'Question',
    cell: ({ id, question }) => (
      <a href={`/prompts/${id}`}>
        <bdi>{question}</bdi>
      </a>
    ),
  },
  { header: 'Site', cell: ({ site }) => siteTitle(site) },
  { header: 'State', cell: ({ state }) => stateMark(state) },
  { header: 'Opens', cell: ({ opens_at }) => timeOf(opens_at) },
  { header: 'Closes', cell: ({ closes_at }) => timeOf(closes_at) },
];

/** The form for a new prompt, with what was wrong with it. */
export function promptFormPage(form: PromptForm, faults: FormFaults<PromptField>, csrf: string): Shown {
  const { id, site, question, opensAt, closesAt, activate } = form;
  const field = fieldsOf({ site, question, opens_at: opensAt, closes_at: closesAt }, faults);
  const main = (
    <>
      <h1>Write a prompt</h1>
      {refusal(faults)}
      <form class="edit" method="post" action="/prompts/new" data-unsent={isRefused(faults)}>
        {csrfField(csrf)}
        <input type="hidden" name="id" value={id} />
        {siteField(site, 'choose', field('site', 'Site').fault)}
        {questionField(question, faults)}
        <div class="two">
          {timeField(field('opens_at', 'Opens', 'Empty: an editor opens it.'))}
          {timeField(field('closes_at', 'Closes', 'Empty: an editor closes it.'))}
        </div>
        {checkField({
          name: 'activate',
          checked: activate,
          label: 'Open it now. The active prompt of the site then closes for good.',
        })}
        {buttonRow(<button class="main">Save the prompt</button>, linkButton('/prompts', 'Cancel'))}
      </form>
    </>
  );
  return { title: 'Write a prompt', main, status: isRefused(faults) ? 422 : 200 };
}

function questionField(question: string, faults: FormFaults<PromptField>): Html {
  const hint = `${bounds.question.min} to ${bounds.question.max} characters. Readers see it and agents answer it.`;
  return areaField({ ...fieldsOf({ question }, faults)('question', 'Question', hint), rows: 3, required: true });
}

/** One prompt with its history and what a staff member can do with it. `correction` is a question that was refused. */
export function promptPage(
  prompt: PromptView,
  history: readonly Transition[],
  staff: Pick<StaffMember, 'roles'>,
  csrf: string,
  correction?: { question: string; faults: FormFaults<PromptField> },
): Shown {
  const { id, question, site, state, opens_at, closes_at } = prompt;
  const mayWrite = hasRole(staff, ...promptWriters);
  // A search takes ten words.
  const words =
    question
      .match(/[\p{L}\p{N}\p{M}]+/gu)
      ?.slice(0, 10)
      .join(' ') ?? '';
  const replies = new URLSearchParams({ type: 'prompt_reply', state: 'any', words });
  const main = (
    <>
      <h1>
        <bdi>{question}</bdi>
      </h1>
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
          {csrfField(csrf)}
          {correction && refusal(correction.faults)}
          {questionField(correction?.question ?? question, correction?.faults ?? noFaults)}
          <p>
            <button>Correct the question</button>
          </p>
        </form>
      )}
      <h2>History</h2>
      <ol>
        {history.map(({ fromState, toState, actor, occurredAt, reason }) => (
          <li>
            {changeWords(fromState, toState)}, <bdi>{actor}</bdi>, {timeOf(occurredAt)}
            {reason !== '' && [': ', <bdi>{reason}</bdi>]}
          </li>
        ))}
      </ol>
    </>
  );
  return { title: 'Prompt', main, status: correction === undefined ? 200 : 422 };
}
