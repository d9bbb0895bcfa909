import type { ContributionView } from '../../present/contribution.js';
import type { ReviewAction } from './review-action.js';

/** Accepts a story or a prompt reply, and puts it into the catalog if `publish` is set. */
export function approveAction(publish: boolean, reason: string): ReviewAction {
  return {
    verb: publish ? 'Approve and publish' : 'Approve',
    warning: publicAtOnce,
    mail: publish ? { kind: 'published', text: '' } : undefined,
    apply: (moderation, request, call) => moderation.approveContribution({ ...request, publish, reason }, call),
  };
}

/** Puts an approved or retracted contribution into the catalog. */
export function publishAction(reason: string): ReviewAction {
  return {
    verb: 'Publish',
    warning: publicAtOnce,
    mail: { kind: 'published', text: '' },
    apply: (moderation, request, call) => moderation.publishContribution({ ...request, reason }, call),
  };
}

/** Takes a published contribution out of the catalog. */
export function retractAction(reason: string): ReviewAction {
  return {
    verb: 'Retract',
    warning: 'Readers lose it at once. It can be published again, but the mail cannot be taken back.',
    mail: { kind: 'retracted', text: reason },
    apply: (moderation, request, call) => moderation.retractContribution({ ...request, reason }, call),
  };
}

export function rejectAction(reason: string): ReviewAction {
  return {
    verb: 'Reject',
    warning: canReopen,
    mail: { kind: 'rejected', text: reason },
    apply: (moderation, request, call) => moderation.rejectContribution({ ...request, reason }, call),
  };
}

/** Lets a rejected contribution or a closed inquiry wait for a decision again. */
export function reopenAction(reason: string): ReviewAction {
  return {
    verb: 'Reopen',
    warning: 'It waits for a decision again.',
    mail: { kind: 'reopened', text: '' },
    apply: (moderation, request, call) => moderation.reopenContribution({ ...request, reason }, call),
  };
}

/** Asks the agent for a new text. */
export function requestChangesAction(reason: string): ReviewAction {
  return {
    verb: 'Ask for changes of',
    warning: 'It waits for its agent then.',
    mail: { kind: 'changes_requested', text: reason },
    apply: (moderation, request, call) => moderation.requestChanges({ ...request, reason }, call),
  };
}

/** What a moderator changes in a text; undefined fields stay as they are. */
export interface Edit {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  /** Empty removes the name; a moderator sets none. */
  readonly name?: '' | undefined;
  /** Passages that are taken out at once. */
  readonly remove: string[];
  readonly forgetBefore: boolean;
}

/** Edits the text of a story or prompt reply. New words for one that was published wait for the yes of its human. */
export function editAction(edit: Edit, reason: string, { state, history }: EditedItem): ReviewAction {
  const proposes = edit.title !== undefined || edit.body !== undefined ? wasPublished({ history }) : false;
  const kind = proposes ? 'edit_proposed' : 'edited';
  return {
    verb: proposes ? 'Propose an edit of' : 'Edit',
    warning: proposes
      ? nothingYet
      : edit.forgetBefore
        ? 'The earlier texts are lost, and its human cannot undo the edit.'
        : 'Readers get it at once.',
    mail: proposes || state === 'published' ? { kind, text: reason } : undefined,
    apply: (moderation, request, call) => moderation.editContribution({ ...request, ...edit, reason }, call),
  };
}

type EditedItem = Pick<ContributionView, 'state' | 'history'>;

/** Whether readers have ever had the text. Then nobody changes its words without its human. */
export function wasPublished({ history }: Pick<ContributionView, 'history'>): boolean {
  return history.some(({ to_state }) => to_state === 'published');
}

/** Said before a change of a text with an edit that waits. */
export const dropsProposed = 'This drops the proposed edit that waits for its human.';

const nothingYet = 'Nothing changes without the yes of its human.';

/** Answers an inquiry, or corrects its answer. */
export function answerAction(text: string): ReviewAction {
  return {
    verb: 'Answer',
    warning: 'A mail cannot be taken back; a wrong answer can be corrected by another one.',
    mail: { kind: 'answered', text },
    apply: (moderation, request, call) => moderation.answerInquiry({ ...request, text }, call),
  };
}

/** Closes an inquiry without an answer. Only moderators see the note. */
export function closeAction({ reason, note }: { readonly reason: string; readonly note: string }): ReviewAction {
  return {
    verb: 'Close',
    warning: canReopen,
    mail: { kind: 'closed', text: reason },
    apply: (moderation, request, call) => moderation.closeInquiry({ ...request, reason, note }, call),
  };
}

const publicAtOnce = 'Everybody can read it at once.';
const canReopen = 'It can be reopened, but the mail cannot be taken back.';
