import { isDeepStrictEqual } from 'node:util';
import { type Attribution, actors, KnowledgeError, refuse, refuseFaults, textFault } from '@knowledge/runtime';
import {
  bounds,
  type ContributionState,
  editedNames,
  kinds,
  removedMark,
  standingEdits,
  writtenNames,
} from '@knowledge/runtime/product';
import { textHashOf } from '../base/text.js';
import {
  type Contribution,
  invalidState,
  isOf,
  isSameRequest,
  type Owner,
  type Proposal,
  type TextChange,
  unknownContribution,
} from './contribution.js';
import { requireNotHeld, shownHistory, withEntry } from './hold.js';
import { changeState, type Outcome, requireSeen, withPublication } from './review.js';
import { sentText, textFaults, type WrittenText } from './sent-fields.js';

/** What a moderator changes in a text. Undefined fields stay as they are. */
export interface Edit extends Partial<Record<(typeof editedNames)[number], string | undefined>> {
  /** Only empty, which removes the name, or as it is. */
  name?: string | undefined;
  /** Passages that are taken out at once, wherever they stand. A mark shows where. */
  remove: readonly string[];
  /** Whether no earlier text is kept, for example because it has personal data. */
  forgetBefore: boolean;
}

/**
 * Makes the rule with which a moderator edits a text (gateway/PROTOCOL.md#edits). Other words for a text that was
 * published are a proposal, until its human says yes.
 *
 * @throws KnowledgeError `validation_error` without a reason. The rule throws `validation_error` or `invalid_state`.
 */
export function editText(
  edit: Edit,
  act: Attribution,
  expectedRevision = 0,
  operatorName = '',
): (contribution: Contribution) => Outcome {
  const { remove, forgetBefore } = edit;
  refuseFaults([
    textFault('reason', act.reason, { ...bounds.reason, min: 1 }),
    expectedRevision < 0 ? 'expected_revision must be 0 or more' : undefined,
    isRewrite(edit) && remove.length > 0 ? `remove must stand alone, without ${editedNames.join(' and ')}` : undefined,
    remove.length > mostRemoved ? `remove must have at most ${mostRemoved} passages` : undefined,
    ...remove.map((passage) => textFault('remove', passage, { min: 2, max: bounds.body.max })),
  ]);
  return (contribution) => {
    if (isRepeatOfEdit(contribution, act)) return { contribution, notices: [] };
    requireNotHeld(contribution);
    requireSeen(contribution, act.actor, expectedRevision);
    requireEditable(contribution, edit);
    if (isRewrite(edit) && contribution.publishedAt !== null) {
      if (forgetBefore) refuseFaults(['forget_before must be false for an edit that waits for its human']);
      return propose(contribution, textAfter(contribution, edit, operatorName), act);
    }
    const changes = changesOf(contribution, edit, act, operatorName);
    const edited = changeState(contribution, contribution.state, act, changes);
    if (contribution.state !== 'published') return { contribution: edited, notices: [] };
    return { contribution: withPublication(edited, 'publish', '', act.at), notices: ['edited'] };
  };
}

function propose(contribution: Contribution, text: WrittenText, act: Attribution): Outcome {
  // Refuses a text without changes.
  replaceText(contribution, text, { at: act.at, by: 'moderator', reason: act.reason });
  const open = contribution.proposal;
  if (open?.reason === act.reason && isDeepStrictEqual(open.text, text)) return { contribution, notices: [] };
  const proposed = withEntry(contribution, 'proposed', act);
  const proposal = { ...act, text, revision: proposed.revision };
  return { contribution: { ...proposed, proposal }, notices: ['edit_proposed'] };
}

function changesOf(
  contribution: Contribution,
  edit: Edit,
  { at, reason }: Attribution,
  operatorName: string,
): Partial<Contribution> {
  const { name, remove, forgetBefore } = edit;
  const { textChanges } = contribution;
  const forgetsOnly = !isRewrite(edit) && name === undefined && remove.length === 0 && forgetBefore;
  if (forgetsOnly && textChanges.some(({ before }) => before)) return { textChanges: textChanges.map(forgotten) };
  const text = textAfter(contribution, edit, operatorName);
  const changes = replaceText(contribution, text, { at, by: 'moderator', reason });
  return forgetBefore ? { ...changes, textChanges: changes.textChanges.map(forgotten) } : changes;
}

// The hashes of the agent's request go too, since one could guess a short text by its hash.
function forgotten({ payloadHash: _, keyHash: __, ...change }: TextChange): TextChange {
  return { ...change, before: null, final: change.final ?? 'forgotten' };
}

function textAfter(contribution: Contribution, edit: Edit, operatorName: string) {
  const { type, name, email } = contribution;
  const passages = edit.remove.map(patternOf);
  const isMissing = (pattern: string) =>
    !editedNames.some((field) => new RegExp(pattern, 'u').test(contribution[field] ?? ''));
  const missing = passages.findIndex(isMissing);
  refuseFaults([
    edit.name?.trim() && edit.name !== name
      ? 'name must be empty or as it is: a moderator can only remove it'
      : undefined,
    missing >= 0 ? `remove must be words of the text: passage ${missing + 1} does not stand in it` : undefined,
  ]);
  // Longer passages come first, since a shorter one may be a part of them.
  const all = new RegExp(passages.sort((one, other) => other.length - one.length).join('|') || '$^', 'gu');
  const text: WrittenText = {
    ...sentText(contribution),
    ...Object.fromEntries(
      editedNames.map((field) => [field, edit[field] ?? contribution[field]?.replace(all, removedMark) ?? null]),
    ),
    name: edit.name?.trim() === '' ? null : name,
  };
  // Marks of removed passages may have made the other fields too long.
  refuseFaults(textFaults(type, text, email, operatorName, givenNames(edit)));
  return text;
}

/** The pattern of a passage. Line ends and other white space of the form and of the text may differ. */
function patternOf(passage: string) {
  return passage
    .trim()
    .replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
}

function isRewrite(edit: Edit) {
  return givenNames(edit).length > 0;
}

function givenNames(edit: Edit) {
  return editedNames.filter((field) => edit[field] !== undefined);
}

function isRepeatOfEdit({ history }: Contribution, act: Attribution) {
  const last = history.at(-1);
  const isEdit = last?.from === last?.to || last?.to === 'proposed';
  return isSameRequest(last, act) && isEdit && last?.reason === act.reason;
}

const mostRemoved = 20;
const mostEdits = 20;

/** How a moderator can edit the text now: with other words, or only to take out what harms. */
export function allowedEdit(contribution: Contribution): 'words' | 'removal' | undefined {
  if (contribution.held !== null) return undefined;
  if (refusalOf(contribution, true) === undefined) return 'words';
  return refusalOf(contribution, false) === undefined ? 'removal' : undefined;
}

function requireEditable(contribution: Contribution, edit: Edit) {
  const message = refusalOf(contribution, isRewrite(edit));
  if (message !== undefined) throw invalidState(contribution, message);
}

function refusalOf(contribution: Contribution, rewrites: boolean) {
  const { type, state, revision, history, textChanges, email } = contribution;
  if (!kinds[type].isPublic) return `This is an ${type}, which is never published, so it cannot be edited.`;
  const editable: readonly ContributionState[] = ['pending_review', 'approved', 'published'];
  if (!editable.includes(state) && !(state === 'retracted' && !rewrites)) {
    return `The contribution is ${state} now (revision ${revision}); to edit it, it must be ${editable.join(' or ')}. Passages and the name can be taken out of what is retracted too.`;
  }
  if (state === 'retracted' && history.at(-1)?.actor === actors.human) {
    return 'Its human took it down, so it cannot be edited.';
  }
  if (rewrites && email === '') {
    return 'Its human was erased, so nobody can agree to other words. Take passages out of it, or retract it.';
  }
  const edits = textChanges.filter(({ by, final }) => by === 'moderator' && final !== 'agreed');
  const all = edits.length + history.filter(({ to }) => to === 'proposed').length;
  return all >= mostEdits ? `It was edited ${mostEdits} times; ask its agent for a new text.` : undefined;
}

/** What a human says to an edit: yes or no to a proposed one, or that it is undone. */
export type EditDecision = 'accept' | 'decline' | 'undo';

/**
 * Makes the rule with which a human decides about the edit that has this revision (gateway/PROTOCOL.md#edits). Undone
 * words wait for a moderator again, since nothing is published without review.
 *
 * @throws KnowledgeError The rule throws `not_found`, or `invalid_state` if the edit is not open any more.
 */
export function decideEdit(
  decision: EditDecision,
  revision: number,
  owner: Owner,
  act: Attribution,
): (contribution: Contribution) => Outcome {
  return (contribution) => {
    if (!isOf(contribution, owner)) throw unknownContribution();
    const { state, proposal } = contribution;
    if (isAnswered(contribution, decision, revision)) return { contribution, notices: [] };
    const isUndo = decision === 'undo';
    const edit = isUndo ? undoableEdit(contribution) : proposal;
    if (edit?.revision !== revision || edit.text === undefined) {
      throw new KnowledgeError('invalid_state', 'This edit is not open any more.', { metadata: { state } });
    }
    if (decision === 'decline') {
      return { contribution: { ...withEntry(contribution, 'declined', act), proposal: null }, notices: [] };
    }
    const { reason } = edit;
    // One that an older release stored may lack a field.
    const text = { ...sentText(contribution), ...edit.text };
    const by = isUndo
      ? ({ by: 'human', reason: '' } as const)
      : ({ by: 'moderator', reason, final: 'agreed' } as const);
    const changes = replaceText(contribution, text, { at: act.at, ...by });
    const changed = changeState(contribution, isUndo ? 'pending_review' : state, act, changes);
    if (state !== 'published') return { contribution: changed, notices: [] };
    return {
      contribution: isUndo
        ? withPublication(changed, 'retract', 'its human undid an edit', act.at)
        : withPublication(changed, 'publish', '', act.at),
      notices: [],
    };
  };
}

/** Whether the last change was this answer. A second press gets the same answer. */
function isAnswered(contribution: Contribution, decision: EditDecision, revision: number) {
  const { textChanges } = contribution;
  const [asked, answer] = shownHistory(contribution).slice(-2);
  if (decision === 'decline') return answer?.to === 'declined' && asked?.revision === revision;
  const [before, change] = textChanges.slice(-2);
  const last = textChanges.at(-1);
  if (last?.revision !== answer?.revision) return false;
  return decision === 'undo'
    ? change?.by === 'human' && before?.revision === revision
    : last?.final === 'agreed' && asked?.to === 'proposed' && asked.revision === revision;
}

/** Whether its human said yes to an edit. */
export const isAgreed = ({ final }: TextChange) => final === 'agreed';

/** The edits of moderators that still hold, without those that the human agreed to. */
export function editsSinceAgent({ textChanges }: Contribution): TextChange[] {
  return standingEdits(textChanges, isAgreed).filter((each) => !isAgreed(each));
}

/** What all edits that its human can still undo changed together. Undefined if there are none. */
export function undoableEdit(contribution: Contribution): UndoableEdit | undefined {
  const { state, textChanges } = contribution;
  if (state !== 'pending_review' && state !== 'approved' && state !== 'published') return undefined;
  const edits = editsSinceAgent(contribution).filter(({ final, before }) => final === undefined && before !== null);
  const last = edits.at(-1);
  if (last === undefined) return undefined;
  const { at, reason } = last;
  const open = { revision: textChanges.at(-1)?.revision ?? last.revision, at, reason };
  if (edits.some(({ before }) => before === undefined)) return { ...open, text: undefined };
  // Where the human agreed to an edit of another field, that stays.
  const undone = edits
    .toReversed()
    .flatMap(({ fields, before }) => fields.map((each) => [each, before?.[each]] as const));
  const text: WrittenText = { ...sentText(contribution), ...Object.fromEntries(undone) };
  return writtenNames.some((field) => text[field] !== contribution[field]) ? { ...open, text } : undefined;
}

/** `text` is that after an undo, undefined in lists. `revision` is that of the last change of the text. */
interface UndoableEdit extends Pick<Proposal, 'revision' | 'at' | 'reason'> {
  text: WrittenText | undefined;
}

/**
 * Replaces the text of a contribution and keeps the text before. Returns the fields that change; the transition must
 * belong to the next revision.
 *
 * @throws KnowledgeError `validation_error` if the text is the same.
 */
export function replaceText(
  contribution: Contribution,
  text: WrittenText,
  change: Omit<TextChange, 'revision' | 'fields' | 'before'>,
): WrittenText & Pick<Contribution, 'textHash' | 'duplicateOf' | 'textChanges'> {
  const { revision, textChanges, duplicateOf } = contribution;
  const before = sentText(contribution);
  const fields = writtenNames.filter((field) => before[field] !== text[field]);
  if (fields.length === 0) {
    refuse('The text is the same as before; send one with changes');
  }
  return {
    ...text,
    textHash: textHashOf(text.body),
    // An equal text was found for the first body only.
    duplicateOf: fields.includes('body') ? null : duplicateOf,
    textChanges: [...textChanges, { ...change, revision: revision + 1, fields, before }],
  };
}
