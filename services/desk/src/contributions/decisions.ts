import type {
  ContributionRecord,
  ModerationServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import {
  capitalised,
  type DecisionName,
  type DecisionNotice,
  decisions,
  editedNames,
  type InputName,
  lineNames,
} from '@knowledge/runtime/product';
import { shortened } from '@knowledge/runtime/shortened';
import { decisionWords, titleOf } from '../base/contribution-words.js';
import { shortId } from '../base/ids.js';
import type { Calls } from '../base/services.js';
import { words } from '../base/text.js';
import type { ContributionView } from './contribution.js';

/** What a moderator wrote for a decision. */
export type DecisionTexts = Readonly<Partial<Record<InputName, string | undefined>>>;

/** The action of a decision with the moderator's texts. */
export function decisionAction(name: DecisionName, texts: DecisionTexts = {}): ReviewAction {
  const { verb = words(name), warning, notice, inputs } = decisions[name];
  const mailed = inputs.find(({ isForHuman }) => isForHuman);
  return {
    verb: capitalised(verb),
    warning,
    mail: notice && { kind: notice, text: (mailed && texts[mailed.name]) ?? '' },
    apply: (moderation, request) => moderation.decide({ ...request, decision: decisionWords.toWire(name), ...texts }),
  };
}

/** What a decision is called on a contribution in this state. */
export function labelOf(name: DecisionName, state: string): string {
  const { label, labelAgain = label, to } = decisions[name];
  return state === to ? labelAgain : label;
}

/** What a moderator changes in a text; undefined fields stay as they are. */
export interface Edit extends Readonly<Partial<Record<(typeof editedNames)[number], string | undefined>>> {
  /** Empty removes the name; a moderator sets none. */
  readonly name?: '' | undefined;
  /** Passages that are taken out at once. */
  readonly remove: string[];
  readonly forgetBefore: boolean;
}

/** Edits a public text. New words for one that was published wait for the yes of its human. */
export function editAction(edit: Edit, reason: string, { state, history }: EditedItem): ReviewAction {
  const apply: ReviewAction['apply'] = (moderation, request) =>
    moderation.editContribution({ ...request, ...edit, reason });
  if (editedNames.some((name) => edit[name] !== undefined) && wasPublished({ history })) {
    const warning = 'Nothing changes without the yes of its human.';
    return { verb: 'Propose an edit of', warning, mail: { kind: 'edit_proposed', text: reason }, apply };
  }
  const lost = 'The earlier texts are lost, and its human cannot undo the edit.';
  return {
    verb: 'Edit',
    warning: edit.forgetBefore ? lost : 'Readers get it at once.',
    isFinal: edit.forgetBefore,
    mail: state === 'published' ? { kind: 'edited', text: reason } : undefined,
    apply,
  };
}

/** The lines that a text of its type has. */
export function linesOf(item: ContributionView) {
  return lineNames.filter((name) => item[name] !== null);
}

type EditedItem = Pick<ContributionView, 'state' | 'history'>;

/** Whether readers have ever had the text. Then nobody changes its words without its human. */
export function wasPublished({ history }: Pick<ContributionView, 'history'>): boolean {
  return history.some(({ to_state }) => to_state === 'published');
}

/** Said before a change of a text with an edit that waits. */
export const dropsProposed = 'This drops the proposed edit that waits for its human.';

/** An action of a moderator on a contribution. */
export interface ReviewAction {
  /** The first word of the question to the user, for example `Reject`. */
  readonly verb: string;
  /** A warning that the user reads before the answer. */
  readonly warning: string;
  /** Whether it cannot be undone, so that the command line asks the user also if no mail is sent. */
  readonly isFinal?: boolean;
  /** The mail that each human gets; undefined for none. */
  readonly mail: { readonly kind: MailKind; readonly text: string } | undefined;
  apply(moderation: ModerationCalls, request: ReviewRequest): Promise<{ contribution: ContributionRecord | undefined }>;
}

/** What every action says to the service. */
interface ReviewRequest {
  readonly id: string;
  /** The revision that the moderator saw; 0 for any. */
  readonly expectedRevision: number;
  /** For how long the decision can be undone before it takes effect; 0 or undefined decides at once. */
  readonly holdSeconds?: number;
}

export type ModerationCalls = Calls<typeof ModerationServiceService>;

/** The kinds of mail that a review sends to the human who contributed. */
type MailKind = 'edited' | 'edit_proposed' | DecisionNotice;

const mailContents: Readonly<Record<MailKind, string>> = {
  changes_requested: 'that a moderator asks for changes',
  edited: 'about what was taken out of the published text',
  edit_proposed: 'with the edit that you propose',
  published: 'that it is published, with its link',
  retracted: 'that it was taken down',
  rejected: 'that it was not accepted',
  reopened: 'that it waits for a decision again, unless no mail has told them the first one',
  answered: 'with this answer',
  closed: 'that it was closed without an answer',
};

/** Describes the mail that a review will send: its receiver, its contribution and the moderator's text. */
export function previewMail(kind: MailKind, record: ContributionView, text: string): string {
  const what = `${words(record.type)} ${shortId(record.id_at_revision)}, ${record.state}`;
  const mail = `${mailSentence(kind, record, text !== '')}${text === '' ? '.' : ':'}`;
  const quoted = text === '' ? [] : text.split('\n').map((line) => `  | ${line}`);
  return [`${what}: ${shortened(titleOf(record), 70)}`, mail, ...quoted].join('\n');
}

/** Says who gets which mail, without a full stop. */
export function mailSentence(kind: MailKind, { email, state }: ContributionView, hasText: boolean): string {
  const corrected = state === 'answered' ? ', which corrects the one before' : '';
  const how = kind === 'answered' ? corrected : hasText ? ', with this reason' : '';
  return `${email} gets a mail ${mailContents[kind]}${how}`;
}
