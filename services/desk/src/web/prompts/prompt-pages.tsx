import type { Transition } from '@knowledge/proto/knowledge/common/v1/common';
import type { ListSearchGapsResponse } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { ListPromptsResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Html, minuteElement } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { type PromptView, presentPrompt, promptStates } from '../../present/prompt.js';
import { sites } from '../../words.js';
import { csrfField } from '../layout/layout.js';
import type { Shown } from '../layout/send-page.js';
import { type PromptForm, questionAbout } from './prompt-form.js';

/** Which prompts the list shows; empty for all. */
export interface PromptFilter {
  readonly site: string;
  readonly state: string;
}

/** The prompts of both sites, newest first. */
export function promptList({ prompts, nextPageToken }: ListPromptsResponse, filter: PromptFilter): Shown {
  const main = (
    <>
      <h1>Prompts</h1>
      <ul class="buttons">
        <li>
          <a class="button" href="/prompts/new">
            Write a prompt
          </a>
        </li>
        <li>
          <a class="button" href="/prompts/gaps">
            What readers look for
          </a>
        </li>
      </ul>
      <form class="filters" method="get" action="/prompts">
        {choice('site', 'Site', sites.words, filter.site, 'all')}
        {choice('state', 'State', promptStates.words, filter.state, 'all')}
        <button>Show</button>
      </form>
      {prompts.length === 0 ? <p>There are no such prompts.</p> : table(prompts.map(presentPrompt))}
      {nextPageToken !== '' && (
        <p>
          <a href={`/prompts?${new URLSearchParams({ ...filter, page: nextPageToken })}`}>More prompts</a>
        </p>
      )}
    </>
  );
  return { title: 'Prompts', main };
}

function choice(name: string, label: string, words: readonly string[], chosen: string, none: string): Html {
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">{none}</option>
        {words.map((word) => (
          <option value={word} selected={word === chosen}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}

function table(prompts: readonly PromptView[]): Html {
  return (
    <section class="scroll" tabindex="0" aria-label="Prompts">
      <table>
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col">Site</th>
            <th scope="col">State</th>
            <th scope="col">Opens</th>
            <th scope="col">Closes</th>
          </tr>
        </thead>
        <tbody>
          {prompts.map(({ id, question, site, state, opens_at, closes_at }) => (
            <tr>
              <td>
                <a href={`/prompts/${id}`}>
                  <bdi>{question}</bdi>
                </a>
              </td>
              <td>{site}</td>
              <td>
                <span class="state">{state}</span>
              </td>
              <td>{time(opens_at)}</td>
              <td>{time(closes_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The form for a new prompt, with what was wrong with it. */
export function promptFormPage(form: PromptForm, csrf: string, fault?: string): Shown {
  const main = (
    <>
      <h1>Write a prompt</h1>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <form class="edit" method="post" action="/prompts/new">
        {csrfField(csrf)}
        <input type="hidden" name="id" value={form.id} />
        {choice('site', 'Site', sites.words, form.site, 'choose')}
        {questionField(form.question)}
        <div class="two">
          {timeField('opens_at', 'Opens', form.opensAt, 'In UTC, such as 2026-06-01 09:00. Empty: an editor opens it.')}
          {timeField('closes_at', 'Closes', form.closesAt, 'In UTC. Empty: an editor closes it.')}
        </div>
        <p>
          <label>
            <input type="checkbox" name="activate" value="yes" checked={form.activate} /> Open it now. The active prompt
            of the site then closes for good.
          </label>
        </p>
        <ul class="buttons">
          <li>
            <button class="main">Save the prompt</button>
          </li>
          <li>
            <a class="button" href="/prompts">
              Cancel
            </a>
          </li>
        </ul>
      </form>
    </>
  );
  return { title: 'Write a prompt', main, status: fault === undefined ? 200 : 400 };
}

function questionField(value: string): Html {
  return (
    <div>
      <label for="question">Question</label>
      <textarea id="question" name="question" rows={3} required aria-describedby="question-hint">
        {value}
      </textarea>
      <p class="hint" id="question-hint">
        {bounds.question.min} to {bounds.question.max} characters. Readers see it and agents answer it.
      </p>
    </div>
  );
}

function timeField(name: string, label: string, value: string, hint: string): Html {
  return (
    <div>
      <label for={name}>{label}</label>
      <input id={name} name={name} value={value} autocomplete="off" aria-describedby={`${name}-hint`} />
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/** One prompt with its history and what can be done with it. `correction` is a question that was refused. */
export function promptPage(
  prompt: PromptView,
  history: readonly Transition[],
  csrf: string,
  correction?: { question: string; fault: string },
): Shown {
  const { id, question, site, state, opens_at, closes_at } = prompt;
  const replies = new URLSearchParams({ type: 'prompt_reply', state: 'any', words: question.slice(0, 200) });
  const main = (
    <>
      <h1>
        <bdi>{question}</bdi>
      </h1>
      <p>
        <span class="state">{state}</span> on {site}
        {opens_at !== null && [', opens ', time(opens_at)]}
        {closes_at !== null && [', closes ', time(closes_at)]}
      </p>
      <ul class="buttons">
        {state === 'scheduled' && (
          <li>
            <a class="button" href={`/prompts/${id}/activate`}>
              Open it now
            </a>
          </li>
        )}
        {state !== 'closed' && (
          <li>
            <a class="button" href={`/prompts/${id}/close`}>
              Close it
            </a>
          </li>
        )}
        <li>
          <a class="button" href={`/queue?${replies}`}>
            Its replies
          </a>
        </li>
      </ul>
      {state === 'scheduled' && (
        <form class="edit" method="post" action={`/prompts/${id}/correct`}>
          {csrfField(csrf)}
          {correction !== undefined && (
            <p class="fault" role="alert">
              {correction.fault}
            </p>
          )}
          {questionField(correction?.question ?? question)}
          <p>
            <button>Correct the question</button>
          </p>
        </form>
      )}
      <h2>History</h2>
      <ol>
        {history.map(({ fromState, toState, actor, occurredAt, reason }) => (
          <li>
            {fromState || 'new'} → {toState}, <bdi>{actor}</bdi>, {occurredAt && minuteElement(occurredAt)}
            {reason !== '' && [': ', <bdi>{reason}</bdi>]}
          </li>
        ))}
      </ol>
    </>
  );
  return { title: 'Prompt', main, status: correction === undefined ? 200 : 400 };
}

/** What readers search and do not find or read, each with a link that makes it a question. */
export function gapsPage({ gaps }: ListSearchGapsResponse): Shown {
  const main = (
    <>
      <h1>What readers look for</h1>
      <p class="soft">
        Searches of the last 30 days that at least five different readers made in one week. The numbers are estimates of
        different readers.
      </p>
      {gaps.length === 0 ? <p>No search of five different readers yet.</p> : gapTable(gaps)}
    </>
  );
  return { title: 'What readers look for', main };
}

function gapTable(gaps: ListSearchGapsResponse['gaps']): Html {
  return (
    <section class="scroll" tabindex="0" aria-label="Searches">
      <table>
        <thead>
          <tr>
            <th scope="col">Words</th>
            <th scope="col">Readers</th>
            <th scope="col">Found nothing</th>
            <th scope="col">Read nothing</th>
            <th scope="col">Prompt</th>
          </tr>
        </thead>
        <tbody>
          {gaps.map(({ words, readers, notFound, notRead }) => (
            <tr>
              <td>
                <bdi>{words}</bdi>
              </td>
              <td>{readers}</td>
              <td>{notFound}</td>
              <td>{notRead}</td>
              <td>
                <a href={`/prompts/new?${new URLSearchParams({ question: questionAbout(words) })}`}>
                  Ask about <bdi>{words}</bdi>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function time(at: string | null): Html | undefined {
  return at === null ? undefined : minuteElement(new Date(at));
}
