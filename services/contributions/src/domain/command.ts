import { type DecisionName, decisions, type StateChange, waitingStates } from '@knowledge/runtime/product';

/** What its human or its agent decides. It takes effect at once. */
const ownChanges = {
  withdraw: { from: waitingStates, to: 'withdrawn' },
  /** The human takes the contribution down and gives no reason. */
  take_down: {
    from: ['approved', 'published'],
    to: 'retracted',
    isPublic: true,
    notice: 'retracted',
    catalog: 'retract',
  },
} as const satisfies Readonly<Record<string, StateChange>>;

/** A change of a contribution that a moderator, its human or the service can request. */
export interface Command {
  readonly kind: DecisionName | keyof typeof ownChanges;
  /** The answer to an inquiry. */
  readonly text?: string;
  /** What only moderators see. */
  readonly note?: string;
}

/** The rule of each command. */
export const stateChanges: Readonly<Record<Command['kind'], StateChange>> = { ...decisions, ...ownChanges };

/** Whether a moderator decides it. Agent, human and the end of an authorization do not wait for a held decision. */
export function isDecision(kind: Command['kind']): kind is DecisionName {
  return Object.hasOwn(decisions, kind);
}

/** Names a command in plain words, for messages and for the log. */
export function commandWords({ kind }: Command): string {
  return kind.replaceAll('_', ' ');
}
