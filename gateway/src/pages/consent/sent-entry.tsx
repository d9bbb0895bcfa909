import type { Contribution, ContributionStep } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { withoutHiddenCharacters } from '@knowledge/runtime';
import { fromWireContributionState, fromWireType } from '../../present/contribution.js';
import { fromWireSite, type Sites, siteTitles } from '../../upstream/sites.js';
import { minuteElement } from '../parts/dates.js';
import type { Html } from '../parts/html.js';
import { languageTag } from '../parts/language.js';
import { lowerHeadings, type RenderMarkdown } from '../parts/markdown.js';
import { sentAction } from './sent-actions.js';
import { stateWords, transitionWords, typeWords } from './sent-words.js';

/** What the templates of contributions need. */
export interface SentContext {
  readonly key: string;
  readonly sites: Sites;
  readonly markdown: RenderMarkdown;
}

/** A contribution with its text, name, history, and the button that stops it. */
export function sentEntry(contribution: Contribution, { key, sites, markdown }: SentContext): Html {
  const { id, title, promptQuestion, agentName, submittedAt, history } = contribution;
  const type = fromWireType(contribution.type);
  const site = fromWireSite(contribution.site);
  const published = fromWireContributionState(contribution.state) === 'published';
  const heading = title || (promptQuestion ? `In reply to: ${promptQuestion}` : typeWords[type]);
  return (
    <>
      <h3 id={`sent-${id}`} dir="auto">
        {heading}
      </h3>
      <p class="soft">
        {typeWords[type]} on {siteTitles[site]}, {nameWords(contribution)}. Sent{' '}
        {minuteElement(submittedAt ?? new Date(0))}
        {agentName !== '' && (
          <>
            {' '}
            by the agent “<bdi>{agentName}</bdi>”
          </>
        )}
        .
      </p>
      <p>
        <strong>{stateWords(contribution)}</strong>
        {published && (
          <>
            {' '}
            <a href={`${sites.base(site)}/objects/${id}?site=${site}`}>Read it as everybody does</a>
          </>
        )}
      </p>
      {wordsOf(contribution, markdown)}
      {answerOf(contribution)}
      {history.length > 1 && stepsOf(history)}
      {sentAction(contribution, key)}
    </>
  );
}

function nameWords({ type, shownName }: Contribution): Html | string {
  if (fromWireType(type) === 'inquiry') return 'which only you, its agent and the moderators see';
  if (shownName === '') return 'shown without a name';
  return (
    <>
      shown with the name “<bdi>{shownName}</bdi>”
    </>
  );
}

/** The text as readers see it. A long one is collapsed. */
function wordsOf(contribution: Contribution, markdown: RenderMarkdown): Html {
  // Only moderators see hidden characters.
  const body = withoutHiddenCharacters(contribution.body);
  const tag = languageTag(contribution.language || undefined);
  const shown =
    fromWireType(contribution.type) === 'inquiry' ? <p class="asis">{body}</p> : lowerHeadings(markdown(body), 2);
  const text = (
    <div class="text" dir="auto" lang={tag}>
      {shown}
    </div>
  );
  const length = [...body].length;
  if (length <= longText) return text;
  return (
    <details>
      <summary>Read the whole text ({length.toLocaleString('en-GB')} characters)</summary>
      {text}
    </details>
  );
}

/** Texts with more characters are collapsed. */
const longText = 600;

function answerOf({ answer }: Contribution): Html | false {
  return (
    answer !== '' && (
      <>
        <p class="soft">The answer:</p>
        <blockquote class="asis" dir="auto">
          {answer}
        </blockquote>
      </>
    )
  );
}

function stepsOf(history: readonly ContributionStep[]): Html {
  return (
    <details>
      <summary>What happened to it</summary>
      <ol class="steps">
        {history.map((step) => (
          <li>
            {transitionWords(step)}, {minuteElement(step.occurredAt ?? new Date(0))}.
            {step.reason !== '' && step.by !== 'system' && (
              <>
                {' '}
                The reason: <q dir="auto">{step.reason}</q>
              </>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
