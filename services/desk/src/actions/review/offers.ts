import { outcomes } from '../../present/history-words.js';
import {
  answerAction,
  approveAction,
  closeAction,
  publishAction,
  rejectAction,
  reopenAction,
  requestChangesAction,
  retractAction,
} from './decisions.js';
import type { ReviewAction } from './review-action.js';

/** A decision that a moderator can take on a contribution, by its key. */
export interface Offer {
  readonly name: DecisionName;
  readonly key: string;
  readonly label: string;
  /** What was done, when it is decided. */
  readonly outcome: string;
  /** What the moderator must write; undefined if nothing. */
  readonly text?: 'reason' | 'answer';
  /** Whether the text may be empty. */
  readonly isOptional?: boolean;
  /** Whether it can be undone for a while. Readers must lose a retracted text at once. */
  readonly isHeld: boolean;
}

export type DecisionName = keyof typeof outcomes;

/** What the moderator wrote for a decision. */
export interface DecisionTexts {
  /** The reason or the answer. */
  readonly text: string;
  /** Only for moderators. */
  readonly note: string;
}

/** The decisions that the state and the type of a contribution allow. */
export function offersFor({ type, state, taken_down_by_human }: Reviewed): readonly Offer[] {
  const isInquiry = type === 'inquiry';
  switch (state) {
    case 'pending_review':
      return isInquiry
        ? [offers.answer, offers.close, offers.request_changes]
        : [offers.approve, offers.approve_and_publish, offers.reject, offers.request_changes];
    case 'changes_requested':
      return [isInquiry ? offers.close : offers.reject];
    case 'approved':
      return [offers.publish, offers.reject];
    case 'published':
      return [offers.retract];
    case 'retracted':
      return taken_down_by_human ? [] : [offers.publish];
    case 'rejected':
    case 'closed':
      return [offers.reopen];
    case 'answered':
      return [{ ...offers.answer, label: 'Correct the answer' }];
    default:
      return [];
  }
}

/** How the text of a contribution can be edited: other words, or only what is taken out. Undefined if not at all. */
export function editOf({ type, state, held, taken_down_by_human }: Reviewed & { readonly held: unknown }) {
  if (type === 'inquiry' || held !== null || taken_down_by_human) return undefined;
  if (state === 'retracted') return 'removal';
  return ['pending_review', 'approved', 'published'].includes(state) ? 'words' : undefined;
}

interface Reviewed {
  readonly type: string;
  readonly state: string;
  readonly taken_down_by_human: boolean;
}

/** The action of a decision with the moderator's texts. */
export function actionOf(name: DecisionName, { text, note }: DecisionTexts): ReviewAction {
  switch (name) {
    case 'approve':
      return approveAction(false, note);
    case 'approve_and_publish':
      return approveAction(true, note);
    case 'publish':
      return publishAction(note);
    case 'reject':
      return rejectAction(text);
    case 'reopen':
      return reopenAction(note);
    case 'request_changes':
      return requestChangesAction(text);
    case 'retract':
      return retractAction(text);
    case 'answer':
      return answerAction(text);
    case 'close':
      return closeAction({ reason: text, note });
  }
}

const offers: { readonly [Name in DecisionName]: Offer } = {
  approve: { name: 'approve', key: 'a', label: 'Approve', outcome: outcomes.approve, isHeld: true },
  approve_and_publish: {
    name: 'approve_and_publish',
    key: 'p',
    label: 'Approve and publish',
    outcome: outcomes.approve_and_publish,
    isHeld: true,
  },
  publish: { name: 'publish', key: 'p', label: 'Publish', outcome: outcomes.publish, isHeld: true },
  reject: { name: 'reject', key: 'r', label: 'Reject', outcome: outcomes.reject, text: 'reason', isHeld: true },
  reopen: { name: 'reopen', key: 'o', label: 'Reopen', outcome: outcomes.reopen, isHeld: true },
  request_changes: {
    name: 'request_changes',
    key: 'c',
    label: 'Ask for changes',
    outcome: outcomes.request_changes,
    text: 'reason',
    isHeld: true,
  },
  retract: { name: 'retract', key: 'r', label: 'Retract', outcome: outcomes.retract, text: 'reason', isHeld: false },
  answer: { name: 'answer', key: 'a', label: 'Answer', outcome: outcomes.answer, text: 'answer', isHeld: true },
  close: {
    name: 'close',
    key: 'r',
    label: 'Close without an answer',
    outcome: outcomes.close,
    text: 'reason',
    isOptional: true,
    isHeld: true,
  },
};

export function isDecisionName(word: string): word is DecisionName {
  return Object.hasOwn(offers, word);
}
