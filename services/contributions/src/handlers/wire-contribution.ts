import {
  ContributionState,
  type ContributionStep,
  ContributionType,
  EditDecision,
  InquiryPurpose,
  type OpenEdit,
  type AboutText as WireAbout,
  type Contribution as WireContribution,
  type WrittenText as WireText,
  type TextChange as WireTextChange,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { AllowedEdit } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { actors, isContributor, isNoMember } from '@knowledge/runtime';
import { historyEntry, type WrittenName, writtenNames } from '@knowledge/runtime/product';
import { enumWords, toWireSite } from '@knowledge/runtime/wire';
import type { Contribution, HistoryEntry, TextChange } from '../domain/contribution.js';
import { undoableEdit } from '../domain/edit.js';
import { erasesAt } from '../domain/erasure.js';
import { dropsProposal, shownHistory, shownRevision } from '../domain/hold.js';
import { changesDueAt } from '../domain/new-text.js';
import type { WrittenText } from '../domain/sent-fields.js';
import { catalogAuthor } from '../publications/domain.js';

/** Converts a contribution for its human and its agent. What the message has no field for is not sent. */
export function toWireContribution(contribution: Contribution): WireContribution {
  return {
    ...contribution,
    type: toWireType(contribution.type),
    site: toWireSite(contribution.site),
    state: toWireState(contribution.state),
    ...toWireText(contribution),
    promptId: contribution.prompt?.id ?? '',
    reviewedAt: contribution.reviewedAt ?? undefined,
    promptQuestion: contribution.prompt?.question ?? '',
    shownName: catalogAuthor(contribution),
    history: toWireSteps(contribution),
    textChanges: contribution.textChanges.map(toWireTextChange),
    changesDueAt: changesDueAt(contribution),
    erasesAt: erasesAt(contribution),
    proposedEdit: toWireEdit(contribution.proposal),
    undoableEdit: toWireEdit(undoableEdit(contribution)),
    purpose: toWirePurpose(contribution.purpose),
    shownRevision: shownRevision(contribution),
    about: contribution.about ? toWireAbout(contribution.about) : undefined,
  };
}

function toWireEdit(edit: ReturnType<typeof undoableEdit> | null): OpenEdit | undefined {
  if (!edit) return undefined;
  const { revision, at, reason, text } = edit;
  return { revision, editedAt: at, reason, text: text && toWireText(text) };
}

function toWireText(text: WrittenText): WireText {
  const sent = writtenNames.map((name) => [name, text[name] ?? '']);
  return Object.fromEntries(sent) as Record<WrittenName, string>;
}

export function toWireAbout({ site, kind, id, title }: NonNullable<Contribution['about']>): WireAbout {
  const name = kind === 'article' ? { slug: id, objectId: '' } : { slug: '', objectId: id };
  return { site: toWireSite(site), ...name, title };
}

function toWireTextChange({ at, before, final, ...change }: TextChange): WireTextChange {
  return {
    ...change,
    changedAt: at,
    forgotten: before === null,
    agreed: final === 'agreed',
    before: before ? toWireText(before) : undefined,
  };
}

/** Converts the history for the human. Held decisions and reasons that are only for moderators are left out. */
function toWireSteps(contribution: Contribution): ContributionStep[] {
  const { textChanges } = contribution;
  return shownHistory(contribution).map((transition) => {
    const { from, to, at, actor, revision } = transition;
    const entry = historyEntry(to)?.human;
    const state = (entry ? from : to) as Contribution['state'];
    const by = roleOf(actor);
    const edited = isEdit(transition);
    const changed = textChanges.find((each) => each.revision === revision)?.by;
    const forgets = edited && changed === undefined ? 'forgotten' : '';
    const edit = entry ? to : by === 'human' && changed ? decidedEdits[changed] : forgets;
    const isForHuman =
      edited || (entry?.hasReason ?? (reasonIsForHuman[state] && (by === 'moderator' || state === 'withdrawn')));
    const step = { state: toWireState(state), occurredAt: at, by, reason: isForHuman ? transition.reason : '' };
    return { ...step, edited, edit, dropsEdit: dropsProposal(contribution, revision) };
  });
}

/** What a human decided about an edit, by the author of the words that came with it. */
const decidedEdits = { agent: '', human: 'undone', moderator: 'agreed' } as const;

// A corrected answer and an erasure keep the state too.
function isEdit({ from, to, reason }: HistoryEntry) {
  return from === to && to !== 'answered' && reason !== 'erased';
}

const reasonIsForHuman: Readonly<Record<Contribution['state'], boolean>> = {
  pending_review: false,
  changes_requested: true,
  approved: false,
  published: false,
  retracted: true,
  rejected: true,
  withdrawn: true,
  answered: false,
  closed: true,
};

/** Converts an actor to its role. An actor that is not in the list is a moderator. */
function roleOf(actor: string): string {
  if (isNoMember(actor)) return actor;
  if (/^support\b/.test(actor)) return 'support';
  return isContributor(actor) ? actors.agent : 'moderator';
}

export const { toWire: toWireState, optional: optionalState } = enumWords('state', ContributionState);
export const { toWire: toWireType, optional: optionalType, require: requireType } = enumWords('type', ContributionType);
export const { require: requireEditDecision } = enumWords('decision', EditDecision);
export const { toWire: toWireDecision, require: requireDecision } = enumWords('decision', Decision);
export const { toWire: toWireAllowedEdit } = enumWords('allowed_edit', AllowedEdit);
const purposes = enumWords('purpose', InquiryPurpose);
export const optionalPurpose = purposes.optional;

/** The purpose of an inquiry; unspecified for other types. */
export const toWirePurpose = (purpose: Contribution['purpose'] | undefined): InquiryPurpose =>
  purposes.toWire(purpose ?? undefined);
