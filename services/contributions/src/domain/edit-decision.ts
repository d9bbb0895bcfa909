import { type Attribution, KnowledgeError } from '@knowledge/runtime';
import {
  type Contribution,
  isOf,
  type Owner,
  type Proposal,
  unknownContribution,
  type WrittenText,
} from './contribution.js';
import { withEntry } from './hold.js';
import { changeState, type Outcome, withPublication } from './review.js';
import { replaceText } from './text-change.js';

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
    const { state, proposal, history } = contribution;
    const last = history.at(-1);
    if (last?.actor === act.actor && last.requestId === act.requestId) return { contribution, notices: [] };
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

/** What moderators changed since the last words of agent or human. Undefined if its human cannot undo it. */
export function undoableEdit({ state, textChanges }: Contribution): UndoableEdit | undefined {
  if (state !== 'pending_review' && state !== 'approved' && state !== 'published') return undefined;
  const first = textChanges.findLastIndex(({ by, final }) => by !== 'moderator' || final !== undefined) + 1;
  const last = textChanges.at(-1);
  if (last === undefined || first === textChanges.length) return undefined;
  const { revision, at, reason } = last;
  return { revision, at, reason, text: textChanges[first]?.before ?? undefined };
}

/** `text` is that before, undefined in lists. */
interface UndoableEdit extends Pick<Proposal, 'revision' | 'at' | 'reason'> {
  text: WrittenText | undefined;
}
