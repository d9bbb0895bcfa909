import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { bounds, labels } from '@knowledge/runtime/product';
import type { ContributionView } from '../contributions/contribution.js';
import { linesOf, wasPublished } from '../contributions/decisions.js';
import {
  areaField,
  atMost,
  checkField,
  csrfField,
  guardField,
  noEnter,
  reasonField,
  section,
  strange,
  textField,
  timeOf,
} from '../pages/index.js';
import type { BlockView } from '../people/access.js';
import { blockedWords, daysField } from '../people/web-sections.js';
import { type QueueFilter, writeFilter } from './web-read-queue.js';

/** The open item, in a view of the queue. */
export interface OpenItem {
  readonly item: ContributionView;
  readonly filter: QueueFilter;
}

interface FormAround {
  readonly className?: string | undefined;
  /** What the script says before the server has answered. */
  readonly outcome?: string;
  readonly hidden?: Readonly<Record<string, string | number>>;
}

/** A form of the open item. What it does leads on in the same view of the queue. */
export function itemForm(
  { item, filter }: OpenItem,
  what: string,
  content: Fragment,
  { className, outcome, hidden }: FormAround = {},
): Html {
  const action = `/queue/${item.id}/${what}${writeFilter(filter)}`;
  return (
    <form class={className} method="post" action={action} data-outcome={outcome}>
      {csrfField(hidden)}
      {content}
    </form>
  );
}

/** The forms that edit a public text: one for its words, one for what must go at once. */
export function editForms(view: OpenItem): Fragment {
  const { item } = view;
  const { allowed_edit: edit } = item;
  if (edit === null) return undefined;
  const lang = languageTag(item.language ?? undefined);
  const asks = wasPublished(item);
  const hint = asks
    ? 'It was published. Its human gets the difference by mail, and nothing changes without their yes.'
    : 'Its human gets the difference with the mail of the publication, and can undo it.';
  const words = [
    ...linesOf(item).map((name) =>
      textField({
        id: `edit-${name}`,
        name,
        label: labels[name],
        value: item[name] ?? '',
        lang,
        maxlength: bounds[name].max,
        required: true,
        autocomplete: false,
      }),
    ),
    areaField({
      id: 'edit-body',
      name: 'text',
      label: labels.body,
      value: item.body,
      hint,
      lang,
      rows: 12,
      maxlength: bounds.body.max,
      required: true,
    }),
  ];
  const passages = areaField({
    id: 'edit-remove',
    name: 'remove',
    label: 'Words that must go, as they stand in the title or the text',
    rows: 4,
    maxlength: bounds.body.max,
    hint: 'Only what harms. An empty line stands between two passages. A mark shows where they stood.',
  });
  return [
    edit === 'words' && (
      <details class="with-text">
        <summary data-key="e" aria-keyshortcuts="e">
          Edit… {keyHint('e')}
        </summary>
        {editForm(view, 'edit', words, asks ? 'Propose this edit' : 'Keep this text', !asks)}
      </details>
    ),
    asks && (
      <details class="with-text">
        <summary>Take out at once…</summary>
        {editForm(view, 'remove', passages, 'Take it out', true)}
      </details>
    ),
  ];
}

function editForm(view: OpenItem, prefix: 'edit' | 'remove', fields: Fragment, button: string, isAtOnce: boolean) {
  const { name, revision } = view.item;
  return itemForm(
    view,
    'edit',
    <>
      {noEnter}
      {guardField('revision', revision)}
      {fields}
      {isAtOnce && name !== null && <p>{checkField({ name: 'unname', label: 'Show it without its name' })}</p>}
      {textField({
        id: `${prefix}-reason`,
        name: 'reason',
        label: 'Why? Its human and its agent read it',
        maxlength: bounds.reason.max,
        required: true,
        autocomplete: false,
      })}
      {isAtOnce && (
        <p>
          {checkField({
            name: 'forget',
            label: 'Keep no earlier text, since it has personal data; its human cannot undo it then',
          })}
        </p>
      )}
      <button>{button}</button> <span class="small by-key">or Ctrl and Enter</span>
    </>,
  );
}

/** What the form that stops the sender of an item shows. */
export interface SenderView extends OpenItem {
  /** The block of its human by a staff member. */
  readonly block: BlockView | null;
}

/** The form that ends the access of the agent and blocks the human; nothing after the human was erased. */
export function stopSender(view: SenderView): Html | undefined {
  const { item, block } = view;
  if (item.email === '') return undefined;
  return (
    <>
      {block !== null &&
        itemForm(
          view,
          'sender',
          <>
            <p>{blockedWords(block)}</p>
            {reasonField({ id: 'unblock-reason', label: 'Why end the block?', required: true })}
            <input type="hidden" name="what" value="unblock" />
            <button>End the block</button>
          </>,
          { className: 'notice' },
        )}
      <details>
        <summary>Stop its agent or its human…</summary>
        {itemForm(
          view,
          'sender',
          <>
            {item.access_ended_at === null &&
              checkField({
                name: 'end',
                checked: true,
                label: 'End the access of this agent. What it sent and still waits is withdrawn. Its human gets a mail',
              })}
            {checkField({
              name: 'block',
              label:
                'Block its human: no agent can ask this mailbox or send texts in its name. Agents can go on reading, and texts go on waiting. Its human gets a mail',
            })}
            {daysField}
            {reasonField({ id: 'stop-reason', label: 'Why? Its human gets these words in the mail', required: true })}
            <button name="what" value="stop">
              Stop
            </button>
          </>,
          { className: 'fields' },
        )}
      </details>
    </>
  );
}

/** The notes of colleagues about an item, and a form for another one. */
export function notes(view: OpenItem): Html {
  return section(
    'notes',
    'Notes, only for moderators',
    <>
      {view.item.notes.length > 0 && (
        <ul class="history">
          {view.item.notes.map(({ author, written_at, text }) => (
            <li>
              <span class="asis">{strange(text)}</span>
              <span class="small">
                {' '}
                {strange(author)}, {timeOf(written_at)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {itemForm(
        view,
        'notes',
        <>
          <label class="aside" for="note-text">
            A note
          </label>
          <textarea id="note-text" name="text" dir="auto" rows={2} {...atMost(bounds.reason.max)} required></textarea>
          <button>Add the note</button>
        </>,
      )}
    </>,
    { class: 'notes' },
  );
}

/** The key that does the same, for people who see it. Screen readers hear it from `aria-keyshortcuts`. */
export function keyHint(key: string): Html {
  return (
    <span class="key" aria-hidden="true">
      {key}
    </span>
  );
}
