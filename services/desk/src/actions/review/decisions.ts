import { type DecisionName, decisions } from '@knowledge/runtime/product';
import type { ContributionView } from '../../present/contribution.js';
import { decisionWords } from '../../present/contribution-words.js';
import type { ReviewAction } from './review-action.js';

/** What a moderator wrote for a decision. */
export interface DecisionTexts {
  readonly reason?: string | undefined;
  /** The answer to an inquiry. */
  readonly text?: string | undefined;
  /** Only for moderators. */
  readonly note?: string | undefined;
}

/** The action of a decision with the moderator's texts. */
export function decisionAction(name: DecisionName, texts: DecisionTexts = {}): ReviewAction {
  const { verb = name.replaceAll('_', ' '), warning, notice, text: mailed } = decisions[name];
  const written = mailed === 'answer' ? texts.text : texts.reason;
  return {
    verb: verb.replace(/^./, (first) => first.toUpperCase()),
    warning,
    mail: notice && { kind: notice, text: (mailed && written) ?? '' },
    apply: (moderation, request, call) =>
      moderation.decide({ ...request, decision: decisionWords.toWire(name), ...texts }, call),
  };
}

/** What a decision is called on a contribution in this state. */
export function labelOf(name: DecisionName, state: string): string {
  const { label, labelAgain = label, to } = decisions[name];
  return state === to ? labelAgain : label;
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
  const apply: ReviewAction['apply'] = (moderation, request, call) =>
    moderation.editContribution({ ...request, ...edit, reason }, call);
  if ((edit.title !== undefined || edit.body !== undefined) && wasPublished({ history })) {
    const warning = 'Nothing changes without the yes of its human.';
    return { verb: 'Propose an edit of', warning, mail: { kind: 'edit_proposed', text: reason }, apply };
  }
  const lost = 'The earlier texts are lost, and its human cannot undo the edit.';
  return {
    verb: 'Edit',
    warning: edit.forgetBefore ? lost : 'Readers get it at once.',
    mail: state === 'published' ? { kind: 'edited', text: reason } : undefined,
    apply,
  };
}

type EditedItem = Pick<ContributionView, 'state' | 'history'>;

/** Whether readers have ever had the text. Then nobody changes its words without its human. */
export function wasPublished({ history }: Pick<ContributionView, 'history'>): boolean {
  return history.some(({ to_state }) => to_state === 'published');
}

/** Said before a change of a text with an edit that waits. */
export const dropsProposed = 'This drops the proposed edit that waits for its human.';
