import type { HeldGroup } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { CannedReason } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { type Fragment, type Html, trusted } from '@knowledge/runtime/html';
import { capitalised, type DecisionInput, type DecisionName, decisions, inputNames } from '@knowledge/runtime/product';
import { decisionWords, outcomeOf } from '../base/contribution-words.js';
import type { ContributionView } from '../contributions/contribution.js';
import { type DecisionTexts, labelOf, mailSentence } from '../contributions/decisions.js';
import { atMost, csrfField, guardField, strange } from '../pages/index.js';
import { editForms, itemForm, keyHint, type OpenItem } from './web-item-forms.js';
import { type QueueFilter, writeFilter } from './web-read-queue.js';

/** What the forms of an item need. */
interface FormsView extends OpenItem {
  readonly reasons: readonly CannedReason[];
}

/** The decisions that the state of the item allows, or who decided what and how to undo it. */
export function decisionForms(view: FormsView): Html {
  const { item } = view;
  if (item.held !== null) return heldDecision(view);
  const edit = editForms(view);
  if (item.allowed_decisions.length === 0 && edit === undefined) return trusted('');
  return (
    <section class="decisions" aria-label="Decide">
      {item.proposed_edit !== null && (
        <p class="notice">
          A proposed edit waits for the yes of its human. Whatever is done here drops it, and the human is told.
        </p>
      )}
      {item.allowed_decisions.map((name) =>
        decisions[name].inputs.length === 0 ? plainForm(name, view) : textForm(name, view),
      )}
      {edit}
    </section>
  );
}

/** Until when a decision can be undone, as a time that stays true. */
export function undoUntil(time: string | null | undefined): string {
  return `You can undo it until ${time?.slice(11, 19)} UTC.`;
}

/** The form that undoes a held decision. The script puts the words that were sent back into their field. */
export function undoForm(
  { id, revision, held }: Pick<ContributionView, 'id' | 'revision' | 'held'>,
  filter: QueueFilter,
): Html {
  const texts = inputNames.map((name) => [name, held?.[name] ?? undefined] as const);
  return undoOf(`/queue/${id}/undo${writeFilter(filter)}`, { revision }, held?.decision, Object.fromEntries(texts));
}

/** The form that undoes all decisions of a group. */
export function undoGroupForm({ groupId, contributions, reason }: HeldGroup): Html {
  return undoOf('/queue/groups/undo', { group: groupId, count: contributions }, 'group', { reason });
}

function undoOf(
  path: string,
  fields: Readonly<Record<string, string | number>>,
  decision: string | undefined,
  texts: DecisionTexts,
) {
  return (
    <form method="post" action={path} data-decision={decision} data-texts={JSON.stringify(texts)}>
      {csrfField(fields)}
      <button data-key="u" aria-keyshortcuts="u">
        Undo {decision === 'group' && 'all'} {keyHint('u')}
      </button>
    </form>
  );
}

function heldDecision({ item, filter }: FormsView) {
  const { held } = item;
  return (
    <div class="decisions held">
      <p>
        <strong>{strange(outcomeOf(held?.decision ?? ''))}</strong> by {strange(held?.actor ?? '')}.{' '}
        {undoUntil(held?.takes_effect_at)}
      </p>
      {undoForm(item, filter)}
    </div>
  );
}

// One button is the whole form: the decision shows at the first key.
function plainForm(name: DecisionName, view: FormsView) {
  const { key, label } = decisions[name];
  return decisionForm(
    name,
    view,
    <button data-key={key} aria-keyshortcuts={key}>
      {label} {keyHint(key)}
    </button>,
  );
}

function textForm(name: DecisionName, view: FormsView) {
  const { item } = view;
  const { key, inputs, isHeld, warning, notice } = decisions[name];
  const label = labelOf(name, item.state);
  const canned = cannedReasons(name, view);
  const isTold = inputs.some(({ isForHuman, isNeeded }) => isForHuman && isNeeded);
  return (
    <details class="with-text">
      <summary data-key={key} aria-keyshortcuts={key}>
        {label}… {keyHint(key)}
      </summary>
      {canned}
      {decisionForm(
        name,
        view,
        <>
          {inputs.map((input) => inputField(name, input, item, canned !== undefined))}
          <p class="small" id={`${name}-mail`}>
            {notice !== undefined && <>{strange(mailSentence(notice, item, isTold))}.</>} {!isHeld && warning}
          </p>
          <button>{label}</button> <span class="small by-key">or Ctrl and Enter</span>
        </>,
        { guard: guardField('revision', item.revision) },
      )}
    </details>
  );
}

function inputField(
  decision: DecisionName,
  { name, label, isNeeded, isForHuman, max, rows }: DecisionInput,
  { answer }: ContributionView,
  hasCanned: boolean,
) {
  const id = `${decision}-${name}`;
  return (
    <>
      <label for={id}>
        {capitalised(label)}
        {!isNeeded && ' (optional)'}
        {name === 'reason' && hasCanned && <span class="by-key">; or press Esc and the number of a reason above</span>}
      </label>
      <textarea
        id={id}
        name={name}
        rows={rows}
        dir="auto"
        {...atMost(max)}
        required={isNeeded}
        aria-describedby={isForHuman ? `${decision}-mail` : undefined}
      >
        {name === 'text' && answer !== null ? `\n${answer}` : ''}
      </textarea>
    </>
  );
}

// Each is one key more: `r`, then `1`.
function cannedReasons(name: DecisionName, view: FormsView) {
  const fitting = view.reasons.filter((reason) => reason.decisions.includes(decisionWords.toWire(name)));
  if (fitting.length === 0) return undefined;
  const buttons = fitting.map(({ words }, at) => {
    const key = at < 9 ? String(at + 1) : undefined;
    return (
      <button name="reason" value={words} data-key={key} aria-keyshortcuts={key}>
        {key !== undefined && keyHint(key)} {words}
      </button>
    );
  });
  return decisionForm(name, view, buttons, { className: 'canned' });
}

/** The form of a decision. The script shows its outcome before the server has answered. */
function decisionForm(
  name: DecisionName,
  view: FormsView,
  content: Fragment,
  { guard, className }: { readonly guard?: Html; readonly className?: string } = {},
) {
  return itemForm(view, 'decision', [guard, content], {
    className,
    outcome: decisions[name].done,
    hidden: { decision: name, ...(guard === undefined && { revision: view.item.revision }) },
  });
}
