import type { Contribution, TextChange } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { withoutHiddenCharacters } from '@knowledge/runtime';
import { wordsAround } from '@knowledge/runtime/difference';
import type { Fragment, Html } from '@knowledge/runtime/html';
import { comparedNames, labels, standingEdits } from '@knowledge/runtime/product';
import { type ContributionStateName, fromWireContributionState } from '../../present/contribution.js';
import { buttonForm, type ConsentPage, minuteOf } from './consent-layout.js';
import { nameOf, stateWords, wasPublic } from './sent-words.js';

/** What a human can do with a contribution. */
export type SentAction = 'withdraw' | 'take_down' | 'erase' | EditAction;

/** What a human can say to an edit of a moderator. */
export type EditAction = 'accept_edit' | 'decline_edit' | 'undo_edit';

/** The buttons of a contribution: to end it, and to decide about edits. Empty if it is too late. */
export function sentActions(contribution: Contribution, key: string): Fragment {
  const of: Fragment = [' ', <span class="aside">({nameOf(contribution)})</span>];
  const { id, proposedEdit, undoableEdit, state, history } = contribution;
  const form = (actions: readonly (readonly [SentAction, string])[], revision = 0) =>
    buttonForm(
      `access/work?key=${encodeURIComponent(key)}`,
      actions.map(([action, label]) => [
        <button class={action !== 'accept_edit' && 'stop'} name="do" value={action}>
          {label}
          {of}
        </button>,
        ' ',
      ]),
      [
        <input type="hidden" name="id" value={id} />,
        revision > 0 && <input type="hidden" name="revision" value={revision} />,
      ],
    );
  const answers = [
    ['accept_edit', 'Yes, change it'],
    ['decline_edit', 'No, leave it'],
  ] as const;
  return [
    proposedEdit && (
      <>
        <p>
          <strong>A moderator proposes an edit. Nothing changes without your yes.</strong>
        </p>
        {editOf(proposedEdit.editedAt, proposedEdit.reason)}
        {proposedEdit.text && differences(contribution, proposedEdit.text)}
        {form(answers, proposedEdit.revision)}
      </>
    ),
    editsOf(contribution, of, (label) => form([['undo_edit', label]], undoableEdit?.revision)),
    endOf(fromWireContributionState(state), wasPublic(history), of, (action, label) => form([[action, label]])),
  ];
}

function endOf(
  state: ContributionStateName,
  isPublic: boolean,
  of: Fragment,
  button: (action: SentAction, label: string) => Html,
) {
  switch (state) {
    case 'pending_review':
    case 'changes_requested':
      return button('withdraw', 'Withdraw');
    case 'approved':
    case 'published':
      return sure(
        ['Take it down', of],
        isPublic
          ? 'Readers cannot find it from then on, and its agent cannot bring it back. Copies that others made stay with them.'
          : 'Readers have not seen it yet. It is not published then, and its agent cannot bring it back.',
        button('take_down', 'Yes, take it down'),
      );
    case 'withdrawn':
      return sure(
        ['Erase it now', of],
        'Nobody can read it from then on: not you, not its agent and no moderator.',
        button('erase', 'Yes, erase it'),
      );
    default:
      return undefined;
  }
}

function sure(question: Fragment, words: Fragment, yes: Html | undefined) {
  return (
    <details class="sure">
      <summary>{question}</summary>
      {typeof words === 'string' ? <p>{words}</p> : words}
      {yes}
    </details>
  );
}

/** The edits of moderators that the human reads of, oldest first. */
export const moderatorEdits = ({ textChanges }: Contribution) => standingEdits(textChanges, ({ agreed }) => agreed);

/** The edits that still hold, and what an undo takes back. */
function editsOf(contribution: Contribution, of: Fragment, undo: (label: string) => Html): Fragment {
  const { textChanges, undoableEdit, state, history } = contribution;
  const edits = moderatorEdits(contribution);
  if (edits.length === 0) return undefined;
  const after = (edit: TextChange) => textChanges[textChanges.indexOf(edit) + 1]?.before ?? contribution;
  const shown = edits.map((edit) => (
    <>
      {editOf(edit.changedAt, edit.reason)}
      {edit.agreed && <p>You said yes to this edit.</p>}
      {edit.forgotten && <p>The text before is not kept, so nobody can show what changed.</p>}
      {edit.before && differences(edit.before, after(edit))}
    </>
  ));
  const isLost =
    edits.some(({ forgotten, agreed }) => forgotten && !agreed) && !ended.includes(fromWireContributionState(state));
  const contest = isLost && undoableEdit === undefined && (
    <p>
      It cannot be undone. If you disagree, <a href="privacy#contest">write to us</a>: a person looks at it again.
    </p>
  );
  const open = edits.filter(({ forgotten, agreed }) => !forgotten && !agreed).length;
  const takesBack = undoableEdit?.text && edits.length > 1 && (
    <>
      <p>Undo takes all of this back at once:</p>
      {differences(contribution, undoableEdit.text)}
    </>
  );
  const hides = wasPublic(history) && ', and readers cannot find the text until it is published again';
  return sure(
    [edits.length === 1 ? 'What a moderator edited' : `What moderators edited, ${edits.length} times`, of],
    [
      ...shown,
      contest,
      undoableEdit && (
        <>
          {takesBack}
          <p>
            You can undo {open === 1 ? 'the edit' : `the ${open} edits`}. Then the words from before wait for a
            moderator
            {hides}.
          </p>
        </>
      ),
    ],
    undoableEdit && undo(open === 1 ? 'Undo the edit' : `Undo the ${open} edits`),
  );
}

/** The states in which a text is not on its way to readers, so that nothing is to undo. */
const ended: readonly ContributionStateName[] = ['rejected', 'retracted', 'withdrawn'];

/** When and why a moderator made an edit. */
function editOf(at: Date | undefined, reason: string) {
  return (
    <p>
      {minuteOf(at)}, for this reason: <q dir="auto">{reason}</q>
    </p>
  );
}

function differences(before: EditedText, after: EditedText): Fragment {
  return comparedNames.map((field) => difference(`The ${labels[field].toLowerCase()}:`, before[field], after[field]));
}

type EditedText = Pick<Contribution, (typeof comparedNames)[number]>;

function difference(label: string, before: string, after: string): Fragment {
  const words = wordsAround(withoutHiddenCharacters(before), withoutHiddenCharacters(after));
  if (words.length === 0) return undefined;
  return (
    <>
      <p class="soft">{label}</p>
      <blockquote class="asis" dir="auto">
        {words.map(({ text, in: kind }) =>
          kind === 'both' ? text : kind === 'removed' ? <del>{text}</del> : <ins>{text}</ins>,
        )}
      </blockquote>
    </>
  );
}

/** The page if a contribution can no longer be stopped. */
export function sentStatePage(contribution: Contribution, key: string): ConsentPage {
  const words = <p role="status">It has changed since you opened your page. {stateWords(contribution)}</p>;
  return { title: 'Nothing was changed', body: withBackLink(words, key) };
}

/** The page if a form names a contribution that is not the human's. */
export function sentUnknownPage(key: string): ConsentPage {
  const words = <p>Nothing with this id was sent in your name, so nothing was changed.</p>;
  return { title: 'This is not on your page', body: withBackLink(words, key) };
}

function withBackLink(words: Html, key: string) {
  return (
    <>
      {words}
      <p>
        <a href={`../access?key=${encodeURIComponent(key)}`}>Back to your page</a>
      </p>
    </>
  );
}
