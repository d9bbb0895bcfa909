import type { Contribution, ContributionStep } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { codePoints, withoutHiddenCharacters } from '@knowledge/runtime';
import { dayElement, type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import type { RenderMarkdown } from '@knowledge/runtime/markdown';
import { kinds } from '@knowledge/runtime/product';
import { fromWireContributionState, fromWireType } from '../../present/contribution.js';
import { fromWireSite, type Sites, siteTitles } from '../../upstream/sites.js';
import { entryList, minuteOf, quoted } from './consent-layout.js';
import { moderatorEdits, sentActions } from './sent-actions.js';
import { nameOf, readUntil, stateWords, transitionWords, typeWords, writtenReason } from './sent-words.js';

/** A list page of a human's contributions, newest first. */
export interface SentList {
  readonly contributions: readonly Contribution[];
  readonly total: number;
  /** The page token of older contributions; empty at the end. */
  readonly nextPageToken: string;
}

/** What is the same for all contributions of the page. */
export interface SentContext {
  readonly key: string;
  readonly sites: Sites;
  readonly markdown: RenderMarkdown;
}

/** Shows a human's contributions. Without `list` it shows a note that they failed to load. */
export function sentPart(list: SentList | undefined, context: SentContext): Html {
  return (
    <>
      <h2 id="sent">Sent in your name</h2>
      {bodyOf(list, context)}
    </>
  );
}

function bodyOf(list: SentList | undefined, context: SentContext) {
  if (list === undefined) {
    return <p>This list cannot be shown right now. Please load the page again in a minute.</p>;
  }
  const { contributions, total, nextPageToken } = list;
  if (contributions.length === 0) return <p class="soft">Nothing{total > 0 && ' more'}.</p>;
  const older = `?${new URLSearchParams({ key: context.key, older: nextPageToken })}#sent`;
  return (
    <>
      {entryList(contributions.map((each) => entry(each, context)))}
      {nextPageToken !== '' && (
        <p>
          <a href={older}>Older ones</a> ({total} in all)
        </p>
      )}
    </>
  );
}

/** A contribution with its text, name, history, and the button that stops it. */
function entry(contribution: Contribution, { key, sites, markdown }: SentContext) {
  const { id, agentName, submittedAt, history, changesDueAt, erasesAt } = contribution;
  const type = typeWords(contribution);
  const site = fromWireSite(contribution.site);
  const edited = moderatorEdits(contribution).at(-1);
  const last = history.at(-1);
  const isPublished = fromWireContributionState(contribution.state) === 'published';
  return (
    <>
      <h3 id={`sent-${id}`} dir="auto">
        {nameOf(contribution)}
      </h3>
      <p class="soft">
        {type} on {siteTitles[site]}, {nameWords(contribution)}. Sent {minuteOf(submittedAt)}
        {agentName !== '' && [' by the agent ', quoted(agentName)]}.
      </p>
      <p>
        <strong>{stateWords(contribution)}</strong>
        {erasesAt && [' ', readUntil(erasesAt)]}
        {edited && [' Edited by a moderator on ', dayElement(edited.changedAt ?? new Date(0)), '.']}
        {changesDueAt && [' The agent can send it until ', minuteOf(changesDueAt), '.']}
        {isPublished && [' ', <a href={`${sites.base(site)}/objects/${id}?site=${site}`}>Read it as everybody does</a>]}
      </p>
      {last?.dropsEdit && (
        <p>
          {transitionWords(last, history.at(-2))}. {droppedWords}
        </p>
      )}
      {textOf(contribution, markdown)}
      {contribution.answer !== '' && answerOf(contribution)}
      {history.length > 1 && stepsOf(history)}
      {sentActions(contribution, key)}
    </>
  );
}

function nameWords({ type, shownName }: Contribution): Fragment {
  if (!kinds[fromWireType(type)].isPublic)
    return 'which only you, the moderators and, while it can act for you, its agent see';
  return shownName === '' ? 'shown without a name' : ['shown with the name ', quoted(shownName)];
}

/** The text as readers see it. A long one is collapsed. */
function textOf(contribution: Contribution, markdown: RenderMarkdown) {
  // Only moderators see hidden characters.
  const body = withoutHiddenCharacters(contribution.body);
  const { title, language, type } = contribution;
  const shown = kinds[fromWireType(type)].isPublic ? markdown(body, { title, language, lowered: 2 }) : undefined;
  const text = (
    <div class="text" dir={shown?.direction ?? 'auto'} lang={languageTag(language || undefined)}>
      {shown ?? <p class="asis">{body}</p>}
    </div>
  );
  const length = codePoints(body);
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

function answerOf({ answer }: Contribution) {
  return (
    <>
      <p class="soft">The answer:</p>
      <blockquote class="asis" dir="auto">
        {answer}
      </blockquote>
    </>
  );
}

const droppedWords = 'The edit that was proposed before was dropped because of that, and waits for no answer.';

function stepsOf(history: readonly ContributionStep[]) {
  return (
    <details>
      <summary>What happened to it</summary>
      <ol class="steps">
        {history.map((step, at) => (
          <li>
            {transitionWords(step, history[at - 1])}, {minuteOf(step.occurredAt)}.{step.dropsEdit && ` ${droppedWords}`}
            {writtenReason(step) !== '' && [' The reason: ', <q dir="auto">{step.reason}</q>]}
          </li>
        ))}
      </ol>
    </details>
  );
}
