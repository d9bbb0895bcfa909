import { type Attribution, hasCode, later } from '@knowledge/runtime';
import type { ContributionState } from '@knowledge/runtime/product';
import { type Contribution, invalidState, isSameRequest } from './contribution.js';
import { withEntry } from './hold.js';
import { decide, type Outcome, requireRevision } from './review.js';

/**
 * Applies a held decision whose time has come, in the name of who decided. A decision that is no longer possible is
 * dropped, with an entry in the history. Anything else stays unchanged.
 */
export function applyHeld(contribution: Contribution, now: Date): Outcome {
  const { held } = contribution;
  if (held === null || held.takesEffectAt > now) return { contribution, notices: [] };
  const { command, takesEffectAt: _, group, ...decided } = held;
  try {
    const outcome = decide(contribution, command, { ...decided, at: now });
    if (!group?.endsAgent) return outcome;
    const { actor, reason } = decided;
    const agentEnd = { actor, reason, dueAt: later(now, agentEndAfterMs) };
    return { ...outcome, contribution: { ...outcome.contribution, agentEnd } };
  } catch (error) {
    if (!hasCode(error, 'invalid_state')) throw error;
    const act = { ...decided, at: now, reason: (error as Error).message };
    return { contribution: { ...withEntry(contribution, 'dropped', act, command.kind), held: null }, notices: [] };
  }
}

/** By then the other decisions of the group are in effect. The end of an agent withdraws what still waits. */
const agentEndAfterMs = 10_000;

/**
 * Removes a held decision before it takes effect. Any moderator may do this.
 *
 * @throws KnowledgeError `invalid_state` that says what can be done instead.
 */
export function undoDecision(act: Attribution, expectedRevision: number): (contribution: Contribution) => Outcome {
  return (contribution) => {
    if (isRepeatedUndo(contribution, act)) return { contribution, notices: [] };
    const { held, state } = contribution;
    const tooLate = (why: string) => invalidState(contribution, `${why}. ${instead(contribution, act.at)}`);
    if (held === null) throw tooLate(`There is no decision to undo; it is ${state.replace('_', ' ')} now`);
    requireRevision(contribution, expectedRevision);
    if (held.takesEffectAt <= act.at) throw tooLate('The decision takes effect now');
    const undo = { ...act, reason: `the decision of ${held.actor}` };
    const undone = withEntry(contribution, 'undone', undo, held.command.kind);
    return { contribution: { ...undone, held: null }, notices: [] };
  };
}

// Only the last undo can be repeated: the caller repeats it because it lost the response.
function isRepeatedUndo({ history }: Contribution, act: Attribution) {
  const last = history.at(-1);
  return last?.to === 'undone' && isSameRequest(last, act);
}

function instead(contribution: Contribution, now: Date) {
  return insteadOfUndo[applyHeld(contribution, now).contribution.state];
}

const insteadOfUndo: Readonly<Record<ContributionState, string>> = {
  pending_review: 'It still waits for a decision.',
  changes_requested: 'Its agent has the words already; reject it to end it.',
  approved: 'Reject it to take the approval back.',
  published: 'Retract it to take it out of the catalog.',
  retracted: 'Publish it to bring it back.',
  rejected: 'Reopen it to decide again.',
  withdrawn: 'Its human or agent withdrew it, which is final.',
  answered: 'Send a corrected answer to replace the one before.',
  closed: 'Reopen it to decide again.',
};
