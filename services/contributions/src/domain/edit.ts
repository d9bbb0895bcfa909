import { type Attribution, KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { Contribution, ContributionState, TextChange } from './contribution.js';
import { requireNotHeld } from './hold.js';
import { changeState, humanActor, type Outcome, requireRevision, withPublication } from './review.js';
import { textFaults } from './submission.js';
import { refuseFaults, textFault } from './text.js';
import { replaceText } from './text-change.js';

/** What a moderator changes in a text. Undefined fields stay as they are; an empty name removes it. */
export interface Edit {
  title: string | undefined;
  body: string | undefined;
  name: string | undefined;
  /** Whether no earlier text is kept, for example because it has personal data. */
  forgetBefore: boolean;
}

/**
 * Makes the rule with which a moderator edits a text (gateway/PROTOCOL.md#edits). A published text keeps its address.
 *
 * @throws KnowledgeError `validation_error` without a reason. The rule throws `validation_error` or `invalid_state`.
 */
export function editText(
  edit: Edit,
  act: Attribution,
  expectedRevision = 0,
  operatorName = '',
): (contribution: Contribution) => Outcome {
  refuseFaults([
    textFault('reason', act.reason, { ...bounds.reason, min: 1 }),
    expectedRevision < 0 ? 'expected_revision must be 0 or more' : undefined,
  ]);
  return (contribution) => {
    if (isRepeatOfEdit(contribution, act)) return { contribution, notices: [] };
    requireNotHeld(contribution);
    requireRevision(contribution, expectedRevision);
    requireEditable(contribution);
    const edited = changeState(contribution, contribution.state, act, changesOf(contribution, edit, act, operatorName));
    if (contribution.state !== 'published') return { contribution: edited, notices: [] };
    return { contribution: withPublication(edited, 'publish', '', act.at), notices: ['edited'] };
  };
}

function changesOf(
  contribution: Contribution,
  { title, body, name, forgetBefore }: Edit,
  { at, reason }: Attribution,
  operatorName: string,
): Partial<Contribution> {
  const { type, language, textChanges } = contribution;
  const text = {
    title: title ?? contribution.title,
    body: body ?? contribution.body,
    name: name === undefined ? contribution.name : name.trim() === '' ? null : name,
    language,
  };
  const sent = { ...text, title: text.title ?? undefined, name: text.name ?? undefined, language: undefined };
  refuseFaults(textFaults(type, sent, contribution.email, operatorName));
  const forgetsOnly = [title, body, name].every((each) => each === undefined) && forgetBefore;
  if (forgetsOnly && textChanges.some(({ before }) => before)) return { textChanges: textChanges.map(forgotten) };
  const changes = replaceText(contribution, text, { at, by: 'moderator', reason });
  return forgetBefore ? { ...changes, textChanges: changes.textChanges.map(forgotten) } : changes;
}

// The hashes of the agent's request go too, since one could guess a short text by its hash.
function forgotten({ payloadHash: _, keyHash: __, ...change }: TextChange): TextChange {
  return { ...change, before: null };
}

function isRepeatOfEdit({ history }: Contribution, { actor, requestId, reason }: Attribution): boolean {
  const last = history.at(-1);
  if (last === undefined || requestId === undefined || last.requestId !== requestId) return false;
  return last.actor === actor && last.from === last.to && last.reason === reason;
}

const editable: readonly ContributionState[] = ['pending_review', 'approved', 'published', 'retracted'];
const mostEdits = 20;

function requireEditable({ type, state, revision, history, textChanges }: Contribution): void {
  const refuse = (message: string): never => {
    throw new KnowledgeError('invalid_state', message, { metadata: { state, revision: String(revision) } });
  };
  if (type === 'inquiry') refuse('This is an inquiry, which is never published, so it cannot be edited.');
  if (!editable.includes(state)) {
    refuse(`The contribution is ${state} now (revision ${revision}); to edit it, it must be ${editable.join(' or ')}.`);
  }
  if (state === 'retracted' && history.at(-1)?.actor === humanActor) {
    refuse('Its human took it down, so it cannot be edited.');
  }
  if (textChanges.filter(({ by }) => by === 'moderator').length >= mostEdits) {
    refuse(`It was edited ${mostEdits} times; ask its agent for a new text.`);
  }
}
