import { bounds } from './bounds.js';
import type { Kind } from './kinds.js';

/** The states of a contribution, as gateway/PROTOCOL.md#states describes them. */
export const contributionStates = [
  'pending_review',
  'changes_requested',
  'approved',
  'published',
  'retracted',
  'rejected',
  'withdrawn',
  'answered',
  'closed',
] as const;

export type ContributionState = (typeof contributionStates)[number];

/** The states in which a contribution waits for a moderator or for its agent. */
export const waitingStates = ['pending_review', 'changes_requested'] as const satisfies readonly ContributionState[];

/** What moderators decide about a contribution. */
export type DecisionName =
  | 'approve'
  | 'approve_and_publish'
  | 'publish'
  | 'reject'
  | 'request_changes'
  | 'retract'
  | 'reopen'
  | 'answer'
  | 'close';

/** The mails that decisions send to the human (gateway/PROTOCOL.md#states). */
export type DecisionNotice =
  | 'changes_requested'
  | 'published'
  | 'retracted'
  | 'rejected'
  | 'reopened'
  | 'answered'
  | 'closed';

/** When a change of the state is allowed, and what follows from it. */
export interface StateChange {
  readonly from: readonly ContributionState[];
  readonly to: ContributionState;
  /** Only for what is public after its review, or only for what never is; for both if it is absent. */
  readonly isPublic?: Kind['isPublic'];
  readonly notice?: DecisionNotice;
  readonly catalog?: 'publish' | 'retract';
}

/** What moderators write for decisions, by its name in the requests. */
export const inputNames = ['reason', 'text', 'note'] as const;

export type InputName = (typeof inputNames)[number];

/** A text that moderators write for a decision. Fields, options and checks are made from it. */
export interface DecisionInput {
  readonly name: InputName;
  readonly label: string;
  readonly isNeeded: boolean;
  /** Whether the human gets it by mail. Else only moderators see it. */
  readonly isForHuman: boolean;
  readonly max: number;
  /** The height of its field. */
  readonly rows: number;
}

/** A decision of moderators: its rule, and how both desks show it. */
export interface Decision extends StateChange {
  /** The key in both desks. Decisions that are possible together have different ones. */
  readonly key: string;
  readonly label: string;
  /** The label if it replaces a decision like it. */
  readonly labelAgain?: string;
  /** What comes before the contribution in a sentence, if it is not the name. */
  readonly verb?: string;
  /** What was done. */
  readonly done: string;
  /** What the moderator must know before. */
  readonly warning: string;
  /** What is written for it. A reason that only moderators see can go with every decision. */
  readonly inputs: readonly DecisionInput[];
  /** Whether it can be held, so that it can be undone. Readers must lose a retracted text at once. */
  readonly isHeld: boolean;
}

const publicAtOnce = 'Everybody can read it at once.';
const reason: DecisionInput = {
  name: 'reason',
  label: 'the reason',
  isNeeded: true,
  isForHuman: true,
  max: bounds.reason.max,
  rows: 3,
};
const answer: DecisionInput = { ...reason, name: 'text', label: 'the answer', max: bounds.body.max, rows: 8 };
const note: DecisionInput = {
  ...reason,
  name: 'note',
  label: 'a note that only moderators see',
  isNeeded: false,
  isForHuman: false,
  rows: 2,
};

const canReopen = 'It can be reopened, but the mail cannot be taken back.';

/** Every decision of moderators. Where more than one is possible, they are offered in this order. */
export const decisions: Readonly<Record<DecisionName, Decision>> = {
  approve: {
    key: 'a',
    label: 'Approve',
    done: 'Approved',
    warning: publicAtOnce,
    from: ['pending_review'],
    to: 'approved',
    isPublic: true,
    inputs: [],
    isHeld: true,
  },
  answer: {
    key: 'a',
    label: 'Answer',
    labelAgain: 'Correct the answer',
    done: 'Answered',
    warning: 'A mail cannot be taken back; a wrong answer can be corrected by another one.',
    from: ['pending_review', 'answered'],
    to: 'answered',
    isPublic: false,
    inputs: [answer],
    isHeld: true,
    notice: 'answered',
  },
  approve_and_publish: {
    key: 'p',
    label: 'Approve and publish',
    done: 'Approved and published',
    warning: publicAtOnce,
    from: ['pending_review'],
    to: 'published',
    isPublic: true,
    inputs: [],
    isHeld: true,
    notice: 'published',
    catalog: 'publish',
  },
  publish: {
    key: 'p',
    label: 'Publish',
    done: 'Published',
    warning: publicAtOnce,
    from: ['approved', 'retracted'],
    to: 'published',
    isPublic: true,
    inputs: [],
    isHeld: true,
    notice: 'published',
    catalog: 'publish',
  },
  reject: {
    key: 'r',
    label: 'Reject',
    done: 'Rejected',
    warning: canReopen,
    from: ['pending_review', 'changes_requested', 'approved'],
    to: 'rejected',
    isPublic: true,
    inputs: [reason],
    isHeld: true,
    notice: 'rejected',
  },
  retract: {
    key: 'r',
    label: 'Retract',
    done: 'Retracted',
    warning: 'Readers lose it at once. It can be published again, but the mail cannot be taken back.',
    from: ['published'],
    to: 'retracted',
    isPublic: true,
    inputs: [reason],
    isHeld: false,
    notice: 'retracted',
    catalog: 'retract',
  },
  close: {
    key: 'r',
    label: 'Close without an answer',
    done: 'Closed',
    warning: canReopen,
    from: waitingStates,
    to: 'closed',
    isPublic: false,
    inputs: [{ ...reason, isNeeded: false }, note],
    isHeld: true,
    notice: 'closed',
  },
  request_changes: {
    key: 'c',
    label: 'Ask for changes',
    verb: 'ask for changes of',
    done: 'Changes asked for',
    warning: 'It waits for its agent then.',
    from: ['pending_review'],
    to: 'changes_requested',
    inputs: [reason],
    isHeld: true,
    notice: 'changes_requested',
  },
  reopen: {
    key: 'o',
    label: 'Reopen',
    done: 'Reopened',
    warning: 'It waits for a decision again.',
    from: ['rejected', 'closed'],
    to: 'pending_review',
    inputs: [],
    isHeld: true,
    notice: 'reopened',
  },
};

export const decisionNames = Object.keys(decisions) as DecisionName[];

/** The decisions whose reason the human gets. */
export const reasonedDecisions = decisionNames.filter((name) =>
  decisions[name].inputs.some((each) => each.name === 'reason'),
);
