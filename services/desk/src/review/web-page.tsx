import type { HeldGroup } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { type DecisionName, decisionNames, decisions, rules } from '@knowledge/runtime/product';
import { isDecisionName, outcomeOf, titleOf } from '../base/contribution-words.js';
import { count } from '../base/text.js';
import type { ContributionView } from '../contributions/contribution.js';
import type { HeldView } from '../contributions/teamwork.js';
import { strange, words } from '../pages/index.js';
import { undoForm, undoGroupForm, undoUntil } from './web-forms.js';
import { type ItemView, itemPane } from './web-item.js';
import { keyHint } from './web-item-forms.js';
import { type ListView, queueList } from './web-list.js';
import { endOfHeld } from './web-news.js';
import { type QueueFilter, writeFilter } from './web-read-queue.js';

/** What the page of the queue shows. */
export interface QueueView {
  readonly list: ListView;
  readonly item: ItemView | undefined;
  /** What the moderator has just done. */
  readonly outcome: Outcome | undefined;
  readonly group: GroupOutcome;
  /** The name of who is signed in. */
  readonly person: string;
}

/** The contribution that was just decided, whose decision was just undone, or whose sender was just stopped. */
export interface Outcome {
  readonly what: (typeof outcomes)[number];
  readonly record: ContributionView;
}

/** What the moderator has just done, by the id of the contribution. */
export interface Done {
  readonly what: Outcome['what'];
  readonly id: string;
}

/** The path of a page that says what was just done. */
export function withOutcome(path: string, done: Done | undefined): string {
  return done === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}done=${done.what}&id=${done.id}`;
}

/** What became of a group that the moderator has rejected. */
export interface GroupOutcome {
  /** The one that can still be undone. */
  readonly held: HeldGroup | undefined;
  /** How many decisions were just undone. */
  readonly undone: number | undefined;
  /** The ids of those that stayed. */
  readonly left: readonly string[];
}

/** What the page above the queue can report. */
export const outcomes = [...decisionNames, 'undone', 'ended', 'blocked', 'stopped', 'unblocked'] as const;

/** The queue: a list, beside it the open item, above both what was just done. */
export function queuePage({ list, item, outcome, group, person }: QueueView): Html {
  return (
    <>
      <h1 class="aside">Queue</h1>
      <div
        id="desk-queue"
        data-undo-seconds={rules.undoSeconds}
        hx-boost="true"
        hx-target="#workspace"
        hx-select="#workspace"
        hx-swap="outerHTML show:none"
        hx-select-oob="#outcome:innerHTML"
      >
        <p id="session-ended" class="notice" role="status" hidden>
          Your session has ended. What you typed is still here:{' '}
          <a href="/sign-in?next=/signed-in" target="_blank" rel="noopener">
            sign in again in a new tab
          </a>
          , then go on in this one.
        </p>
        <div id="outcome" role="status" aria-live="polite">
          {outcome === undefined ? groupNotice(group) : outcomeNotice(outcome, list.filter)}
        </div>
        <div id="workspace" class={item === undefined ? 'workspace' : 'workspace opened'}>
          {queueList(list)}
          {item === undefined ? nothingOpen(list) : itemPane(item)}
        </div>
      </div>
      {keys(person)}
    </>
  );
}

function groupNotice({ held, undone, left }: GroupOutcome): Fragment {
  if (undone !== undefined) return <p>Undone: {count(undone, 'text')} wait again.</p>;
  const ms = held === undefined ? 0 : Math.max(0, (held.takesEffectAt?.getTime() ?? 0) - Date.now());
  return (
    <>
      {held !== undefined && (
        <p>
          Rejected together: <q>{count(held.contributions, 'text')}</q>.{' '}
          <span data-undo-ms={ms}>{undoUntil(held.takesEffectAt?.toISOString())}</span>
        </p>
      )}
      {left.length > 0 && (
        <p>
          {left.map((id, at) => [at > 0 && ', ', <a href={`/queue/${id}`}>{id.slice(0, 8)}</a>])} stay as they are: they
          changed or were decided since you looked.
        </p>
      )}
      {held !== undefined && undoGroupForm(held)}
    </>
  );
}

function outcomeNotice({ what, record }: Outcome, filter: QueueFilter) {
  const { held, state } = record;
  const ownTitle = titleOf(record);
  const title = <q>{strange(ownTitle)}</q>;
  const sentence = [title, !/[.!?…]$/.test(ownTitle) && '.'];
  const now = ` It is ${words(state)} now.`;
  if (what === 'undone') {
    return (
      <p>
        Undone: {sentence}
        {now}
      </p>
    );
  }
  if (what === 'unblocked') return <p>The block of the human of {title} has ended.</p>;
  if (!isDecisionName(what)) {
    return (
      <p>
        {what !== 'blocked' && (
          <>The agent that sent {title} has no access any more, and what it sent and waited is withdrawn. </>
        )}
        {what !== 'ended' && <>Its human is blocked: no agent can ask or send texts in that name. </>}
        The human gets a mail with your reason. It takes effect within a few seconds.
      </p>
    );
  }
  if (held === null) {
    const { done, to } = decisions[what];
    const end = endOf(record, what);
    if (end !== undefined) {
      return (
        <p>
          {title}: {strange(end)}
        </p>
      );
    }
    return (
      <p>
        {done}: {sentence}
        {state !== to && now}
      </p>
    );
  }
  return (
    <>
      <p>
        {strange(outcomeOf(held.decision))}: {sentence}{' '}
        <span data-undo-ms={undoMs(held)}>{undoUntil(held.takes_effect_at)}</span>
      </p>
      {undoForm(record, filter)}
    </>
  );
}

/** What ended the decision before its time; undefined if it took effect. */
function endOf({ history }: ContributionView, what: DecisionName) {
  const at = history.findLastIndex(({ to_state, decision }) => to_state === 'decided' && decision === what);
  const next = history[at + 1];
  return at < 0 || next === undefined ? undefined : endOfHeld(next);
}

/** For how long it can be undone after the decision, which the page follows at once. */
function undoMs({ decided_at, takes_effect_at }: HeldView) {
  return Date.parse(takes_effect_at ?? '') - Date.parse(decided_at ?? '') || 0;
}

function nothingOpen({ entries, nextPage, filter, canOpen }: ListView) {
  if (!canOpen) {
    return (
      <section class="item none">
        <p>
          Your role does not open these. Support sees where a contribution is on the page{' '}
          <a href="/people" hx-boost="false">
            People
          </a>
          .
        </p>
      </section>
    );
  }
  const isEmpty = entries.every(({ held }) => held !== null) && nextPage === '';
  return (
    <section class="item none">
      {isEmpty ? (
        <p>Nothing waits here.</p>
      ) : (
        <p>
          <a href={`/queue/next${writeFilter(filter)}`} data-key="j" aria-keyshortcuts="j">
            Open the first one {keyHint('j')}
          </a>
        </p>
      )}
    </section>
  );
}

/** Each key of the decisions, with all that it does. */
const keysOfDecisions = [...new Set(decisionNames.map((name) => decisions[name].key))].map((key) => {
  const labels = decisionNames.map((name) => decisions[name]).filter((each) => each.key === key);
  return [key, labels.map(({ label }) => label.toLowerCase()).join('; ')] as const;
});

const keys = (person: string) => (
  <>
    <button class="keys" popovertarget="keys" data-key="?" aria-keyshortcuts="?">
      Keys {keyHint('?')}
    </button>
    <dialog id="keys" class="keys" popover aria-labelledby="keys-title">
      <h2 id="keys-title" tabindex="-1" autofocus>
        Keys
      </h2>
      <dl>
        {(
          [
            ['j k', 'the next or the previous one'],
            ...keysOfDecisions,
            ['e', 'edit the text'],
            ['u', `undo the last decision, for ${rules.undoSeconds} seconds`],
            ['/', 'the filter, with the words to look for'],
            ['1 2', 'one of the reasons that are shown, outside its field'],
            ['Esc', 'out of a field; from there, closes it'],
            ['?', 'these keys'],
          ] as const
        ).map(([key, meaning]) => (
          <div>
            <dt>{key}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="small">
        Keys do nothing while you type in a field, or together with Ctrl, Alt or Meta. Ctrl or Cmd with Enter sends the
        form of a field. What you type on after that is no key, until you press one alone. On alphabets other than
        Latin, letters count by their place.
      </p>
      <p>
        <label class="check">
          <input type="checkbox" name={`keys of ${person}`} checked /> Letters, digits and signs are keys for me, in
          this browser
        </label>
      </p>
      <button popovertarget="keys">Close</button>
    </dialog>
  </>
);
