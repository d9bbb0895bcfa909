import { type Attribution, KnowledgeError, later } from '@knowledge/runtime';
import { type ContributionState, type DecisionName, type EntryName, historyEntry } from '@knowledge/runtime/product';
import {
  type Command,
  type Contribution,
  commandWords,
  type DecidedGroup,
  type HistoryEntry,
  invalidState,
  isDecision,
  isSameRequest,
} from './contribution.js';

/** The longest time for which a decision can be held. */
export const maxHoldSeconds = 60;

/** Bounds the history of a contribution that is decided and undone again and again. */
const maxHistory = 500;

/**
 * Stores a decision that takes effect later. The history gets an entry, but the state and everything that agent and
 * human see stay as they are.
 *
 * @throws KnowledgeError `invalid_state` if the contribution was decided and undone hundreds of times.
 */
export function holdDecision(
  contribution: Contribution,
  command: Command<DecisionName>,
  act: Attribution,
  seconds: number,
  group?: DecidedGroup,
): Contribution {
  if (contribution.history.length >= maxHistory) {
    throw new KnowledgeError('invalid_state', 'It was decided and undone too often; decide without holding it.');
  }
  const takesEffectAt = later(act.at, seconds * 1000);
  return {
    ...withEntry(contribution, 'decided', act, command.kind),
    held: { ...act, command, takesEffectAt, ...(group && { group }) },
  };
}

/** Adds an entry to the history. The state stays as it is. */
export function withEntry(
  contribution: Contribution,
  to: EntryName | ContributionState,
  { actor, at, reason, requestId }: Attribution,
  decision?: DecisionName,
): Contribution {
  const revision = contribution.revision + 1;
  const more = { ...(requestId !== undefined && { requestId }), ...(decision && { decision }) };
  const entry = { from: contribution.state, to, actor, at, reason, revision, ...more };
  return { ...contribution, revision, history: [...contribution.history, entry] };
}

/** The history that agent and human see, who must not notice a held decision. */
export function shownHistory({ history }: Pick<Contribution, 'history'>): HistoryEntry[] {
  return history.filter(({ to }) => historyEntry(to)?.human !== null);
}

/** The revision that agent and human see. */
export function shownRevision(contribution: Contribution): number {
  return shownHistory(contribution).at(-1)?.revision ?? contribution.revision;
}

/** Whether this change dropped a proposed edit that waited. An answer of its human drops nothing. */
export function dropsProposal(contribution: Contribution, revision: number): boolean {
  const entries = shownHistory(contribution);
  const at = entries.findIndex((each) => each.revision === revision);
  if (entries[at - 1]?.to !== 'proposed' || entries[at]?.to === 'declined') return false;
  return contribution.textChanges.find((each) => each.revision === revision)?.final !== 'agreed';
}

/** Whether this request has held its decision already, even if that was undone meanwhile. */
export function isRepeatOfHeld({ history }: Contribution, { kind }: Command, act: Attribution): boolean {
  return history.some(
    (entry) =>
      entry.to === 'decided' && entry.decision === kind && entry.reason === act.reason && isSameRequest(entry, act),
  );
}

/** @throws KnowledgeError `invalid_state` that names who decided what and until when it can be undone. */
export function requireNotHeld(contribution: Contribution, command?: Command): void {
  const { held } = contribution;
  if (held === null || (command !== undefined && !isDecision(command))) return;
  const { actor, command: decision, takesEffectAt } = held;
  const until = takesEffectAt.toISOString().slice(11, 19);
  const message = `${actor} has decided: ${commandWords(decision)}. This takes effect at ${until} UTC; until then it can be undone, and nothing else can be decided.`;
  throw invalidState(contribution, message, {
    decided_by: actor,
    decision: decision.kind,
    takes_effect_at: takesEffectAt.toISOString(),
  });
}
