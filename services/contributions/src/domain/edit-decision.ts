import { type Attribution, KnowledgeError } from '@knowledge/runtime';
import {
  type Contribution,
  isOf,
  type Owner,
  type Proposal,
  type TextChange,
  unknownContribution,
  type WrittenText,
} from './contribution.js';
import { isHeldEntry, withEntry } from './hold.js';
import { changeState, type Outcome, withPublication } from './review.js';
import { replaceText, textFields } from './text-change.js';

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
    const { text, reason } = edit;
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
function isAnswered({ history, textChanges }: Contribution, decision: EditDecision, revision: number): boolean {
  const [asked, answer] = history.filter((each) => !isHeldEntry(each)).slice(-2);
  if (decision === 'decline') return answer?.to === 'declined' && asked?.revision === revision;
  const [before, change] = textChanges.slice(-2);
  const last = textChanges.at(-1);
  if (last?.revision !== answer?.revision) return false;
  return decision === 'undo'
    ? change?.by === 'human' && before?.revision === revision
    : last?.final === 'agreed' && asked?.to === 'proposed' && asked.revision === revision;
}

/** The edits of moderators since the last words of agent or human, without those that the human agreed to. */
export function editsSinceAgent({ textChanges }: Contribution): TextChange[] {
  const first = textChanges.findLastIndex(({ by }) => by !== 'moderator') + 1;
  return textChanges.slice(first).filter(({ final }) => final !== 'agreed');
}

/** What all edits that its human can still undo changed together. Undefined if there are none. */
export function undoableEdit(contribution: Contribution): UndoableEdit | undefined {
  const { state, title, body, name, language, textChanges } = contribution;
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
  const text: WrittenText = { title, body, name, language, ...Object.fromEntries(undone) };
  const isOther = (field: keyof WrittenText): boolean => text[field] !== contribution[field];
  return textFields.some(isOther) ? { ...open, text } : undefined;
}

/** `text` is that after an undo, undefined in lists. `revision` is that of the last change of the text. */
interface UndoableEdit extends Pick<Proposal, 'revision' | 'at' | 'reason'> {
  text: WrittenText | undefined;
}
