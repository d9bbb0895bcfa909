import type { Attribution } from '@knowledge/runtime';
import { bounds, type ContributionState, kinds, removedMark } from '@knowledge/runtime/product';
import { type Contribution, invalidState, type TextChange, type WrittenText } from './contribution.js';
import { requireNotHeld, withEntry } from './hold.js';
import { changeState, humanActor, type Outcome, requireSeen, withPublication } from './review.js';
import { textFaults } from './submission.js';
import { refuseFaults, textFault } from './text.js';
import { replaceText } from './text-change.js';

/** What a moderator changes in a text. Undefined fields stay as they are. */
export interface Edit {
  title: string | undefined;
  body: string | undefined;
  /** Only empty, which removes the name, or as it is. */
  name: string | undefined;
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
    isRewrite(edit) && remove.length > 0 ? 'remove must stand alone, without title and body' : undefined,
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

function textAfter(contribution: Contribution, edit: Edit, operatorName: string): WrittenText {
  const { type, title, body, name, language, email } = contribution;
  const passages = edit.remove.map(patternOf);
  const isMissing = (pattern: string): boolean => !new RegExp(pattern, 'u').test(`${title ?? ''}\n${body}`);
  const missing = passages.findIndex(isMissing);
  refuseFaults([
    edit.name?.trim() && edit.name !== name
      ? 'name must be empty or as it is: a moderator can only remove it'
      : undefined,
    missing >= 0 ? `remove must be words of the text: passage ${missing + 1} does not stand in it` : undefined,
  ]);
  // Longer passages come first, since a shorter one may be a part of them.
  const all = new RegExp(passages.sort((one, other) => other.length - one.length).join('|') || '$^', 'gu');
  const text = {
    title: edit.title ?? title?.replace(all, removedMark) ?? null,
    body: edit.body ?? body.replace(all, removedMark),
    name: edit.name?.trim() === '' ? null : name,
    language,
  };
  const sent = { title: text.title ?? undefined, body: text.body, name: undefined, language: undefined };
  if (isRewrite(edit)) refuseFaults(textFaults(type, sent, email, operatorName));
  return text;
}

/** The pattern of a passage. Line ends and other white space of the form and of the text may differ. */
function patternOf(passage: string): string {
  return passage
    .trim()
    .replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
}

function isRewrite({ title, body }: Edit): boolean {
  return title !== undefined || body !== undefined;
}

function isRepeatOfEdit({ history }: Contribution, { actor, requestId, reason }: Attribution): boolean {
  const last = history.at(-1);
  if (last === undefined || requestId === undefined || last.requestId !== requestId) return false;
  return last.actor === actor && (last.from === last.to || last.to === 'proposed') && last.reason === reason;
}

const mostRemoved = 20;
const mostEdits = 20;

/** How a moderator can edit the text now: with other words, or only to take out what harms. */
export function allowedEdit(contribution: Contribution): 'words' | 'removal' | undefined {
  if (contribution.held !== null) return undefined;
  if (refusalOf(contribution, true) === undefined) return 'words';
  return refusalOf(contribution, false) === undefined ? 'removal' : undefined;
}

function requireEditable(contribution: Contribution, edit: Edit): void {
  const message = refusalOf(contribution, isRewrite(edit));
  if (message !== undefined) throw invalidState(contribution, message);
}

function refusalOf(contribution: Contribution, rewrites: boolean): string | undefined {
  const { type, state, revision, history, textChanges } = contribution;
  if (!kinds[type].isPublic) return `This is an ${type}, which is never published, so it cannot be edited.`;
  const editable: readonly ContributionState[] = ['pending_review', 'approved', 'published'];
  if (!editable.includes(state) && !(state === 'retracted' && !rewrites)) {
    return `The contribution is ${state} now (revision ${revision}); to edit it, it must be ${editable.join(' or ')}. Passages and the name can be taken out of what is retracted too.`;
  }
  if (state === 'retracted' && history.at(-1)?.actor === humanActor) {
    return 'Its human took it down, so it cannot be edited.';
  }
  const edits = textChanges.filter(({ by, final }) => by === 'moderator' && final !== 'agreed');
  const all = edits.length + history.filter(({ to }) => to === 'proposed').length;
  return all >= mostEdits ? `It was edited ${mostEdits} times; ask its agent for a new text.` : undefined;
}
