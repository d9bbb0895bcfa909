import {
  type AboutText,
  ContributionState,
  type OpenEdit,
  type TextChange,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { ContributionRecord, OtherWork } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import { presentWritten } from '@knowledge/runtime/product';
import {
  contributionStates,
  contributionTypes,
  decisionWords,
  isDecisionName,
  presentAllowedEdit,
  presentPurpose,
  titleOf,
  typeOf,
} from '../base/contribution-words.js';
import { atRevision, shortId } from '../base/ids.js';
import { markOddCharacters } from '../base/odd-characters.js';
import { presented } from '../base/presented.js';
import { formatDetails, formatText, type Lines, type Paint, words } from '../base/text.js';
import { readableTime, timestamp } from '../base/time.js';
import { formatHistory, presentTransition } from '../base/transition.js';
import { requireField, sites } from '../base/words.js';
import { describeHeld, formatNotes, presentHeld } from './teamwork.js';

export type ContributionView = ReturnType<typeof presentContribution>;

export function presentContribution(record: ContributionRecord) {
  const contribution = requireField(record.contribution);
  return {
    id: contribution.id,
    id_at_revision: atRevision(contribution),
    type: contributionTypes.fromWire(contribution.type),
    site: sites.fromWire(contribution.site),
    state: contributionStates.fromWire(contribution.state),
    ...presentWritten(contribution),
    prompt_id: contribution.promptId || null,
    prompt_question: contribution.promptQuestion || null,
    purpose: presentPurpose(contribution.purpose),
    about: contribution.about ? presentAbout(contribution.about) : null,
    email: record.email,
    agent_name: record.agentName,
    authorization_id: contribution.authorizationId,
    submitted_at: timestamp(contribution.submittedAt),
    updated_at: timestamp(contribution.updatedAt),
    reviewed_at: timestamp(contribution.reviewedAt),
    reason: contribution.reason || null,
    note: record.note || null,
    answer: contribution.answer || null,
    changes_due_at: timestamp(contribution.changesDueAt),
    erases_at: timestamp(contribution.erasesAt),
    text_changes: contribution.textChanges.map(presentTextChange),
    proposed_edit: contribution.proposedEdit ? presentProposal(contribution.proposedEdit) : null,
    access_ended_at: timestamp(record.accessEndedAt),
    access_ended_by: record.accessEndedBy || null,
    duplicate_of: record.duplicateOf || null,
    hidden_characters: record.hiddenCharacters,
    risk: record.risk,
    checks: record.checks.map(({ about, ...check }) => ({ ...check, ...(about && { about: presentAbout(about) }) })),
    similar: record.similar.map(({ id, title, beginning, state, percent, sameHuman, revision }) => ({
      id,
      id_at_revision: atRevision({ id, revision }),
      title: title || null,
      beginning,
      percent,
      same_human: sameHuman,
      state: contributionStates.fromWire(state),
    })),
    of_human: presentOtherWork(record.ofHuman),
    of_agent: presentOtherWork(record.ofAgent),
    taken_down_by_human: contribution.state === ContributionState.RETRACTED && record.changedBy === 'human',
    revision: contribution.revision,
    seen_revision: record.seenRevision ?? null,
    published_revision: record.publishedRevision,
    allowed_decisions: record.allowedDecisions.map(decisionWords.fromWire).filter(isDecisionName),
    allowed_edit: presentAllowedEdit(record.allowedEdit),
    held: record.held ? presentHeld(record.held) : null,
    open_by: record.openBy.map(presented),
    notes: record.notes.map(presented),
    mails: record.mails.map(presented),
    history: record.history.map(presentTransition),
  };
}

function presentAbout({ site, slug, objectId, title }: AboutText) {
  return { site: sites.fromWire(site), slug: slug || null, object_id: objectId || null, title };
}

function presentTextChange({ revision, changedAt, by, reason, fields, before }: TextChange) {
  return {
    revision,
    changed_at: timestamp(changedAt),
    by,
    reason: reason || null,
    fields,
    before: before ? presentWritten(before) : null,
  };
}

function presentProposal({ editedAt, reason, text }: OpenEdit) {
  return { proposed_at: timestamp(editedAt), reason, text: presentWritten(requireField(text)) };
}

/** What most contributions do not have, in words for a list. */
export function unusualOf(view: ContributionView): string[] {
  const found = [
    view.hidden_characters.length > 0 && 'hidden characters',
    view.duplicate_of !== null && 'repeated',
    view.access_ended_at !== null && 'access ended',
    view.taken_down_by_human && 'taken down',
  ];
  return found.filter((mark) => mark !== false);
}

/** What its agent sent beside the text. These fields are lines of the terminal and of the browser, by their names. */
export const sentFacts = ['language'] as const;

/** Formats a contribution for people, with its facts, history, mails and texts. */
export function formatContribution(record: ContributionView, paint: Paint): string {
  const facts = formatDetails(record, lines, paint);
  const body = withoutHiddenCharacters(record.body);
  const hidden = record.hidden_characters.map((each) => `! ${each}`).join('\n');
  const checks = record.checks.map(({ weight, text }) => `${String(weight).padStart(3)}  ${text}`).join('\n');
  const similar = record.similar
    .map(({ id_at_revision, percent, state, title, beginning, same_human }) => {
      const whose = same_human ? 'same human' : 'another human';
      return `${String(percent).padStart(3)} %  ${shortId(id_at_revision)}  ${words(state)}, ${whose}  ${titleOf({ title, body: beginning })}`.trimEnd();
    })
    .join('\n');
  const texts = [
    formatText(`Risk ${record.risk} of 100`, checks, paint),
    formatText('Similar texts', similar, paint),
    formatText('Other contributions of this human', formatOtherWork(record.of_human), paint),
    formatText('Other contributions of this agent', formatOtherWork(record.of_agent), paint),
    formatText('Hidden characters, not in what readers see', hidden, paint),
    formatText('Body', body, paint),
    formatText('Body as sent, odd characters in ⟦ ⟧', markOddCharacters(record.body) ?? '', paint),
    formatText('Answer', record.answer ?? '', paint),
  ].join('');
  return facts + formatHistory(record.history, paint, record.mails) + formatNotes(record.notes, paint) + texts;
}

const lines: Lines<ContributionView> = {
  id: 'id_at_revision',
  type: typeOf,
  about: ({ about }) => about && `${about.title} (${about.site}/${about.slug ?? about.object_id})`,
  site: 'site',
  state: 'state',
  held: ({ held }) => held && describeHeld(held),
  'open now': ({ open_by }) => open_by.map(({ actor }) => actor).join(', '),
  title: 'title',
  'name to show': 'name',
  from: 'email',
  'by agent': 'agent_name',
  'access ended': ({ access_ended_by: by, access_ended_at: at }) => by && `${readableTime(at)} UTC by ${by}`,
  ...Object.fromEntries(sentFacts.map((name) => [name, name])),
  prompt: 'prompt_id',
  'it asks': 'prompt_question',
  'same text as': 'duplicate_of',
  'sent, UTC': 'submitted_at',
  'reviewed, UTC': 'reviewed_at',
  'taken down': ({ taken_down_by_human: isTaken }) => (isTaken ? 'by its human' : null),
  undone: ({ text_changes }) => (text_changes.at(-1)?.by === 'human' ? 'its human undid what moderators edited' : null),
  reason: 'reason',
  'new text until': ({ changes_due_at: at }) => at && `${readableTime(at)} UTC`,
  'moderators can read it until': ({ erases_at: at }) => at && `${readableTime(at)} UTC`,
  note: 'note',
  'in the catalog': ({ published_revision }) => (published_revision === 0 ? null : `revision ${published_revision}`),
};

/** Other contributions of one human or agent; null if the service gave none. */
function presentOtherWork(work: OtherWork | undefined) {
  if (work === undefined) return null;
  return {
    counts: work.counts.map(({ state, count }) => ({ state: contributionStates.fromWire(state), count })),
    newest: work.newest.map(({ id, title, type, purpose, beginning, state, reason, submittedAt, revision }) => ({
      id,
      id_at_revision: atRevision({ id, revision }),
      title: title || null,
      type: contributionTypes.fromWire(type),
      purpose: presentPurpose(purpose),
      beginning,
      state: contributionStates.fromWire(state),
      reason: reason || null,
      submitted_at: timestamp(submittedAt),
    })),
  };
}

/** Formats other contributions: the counts on one line, then the newest; empty without any. */
function formatOtherWork(work: ReturnType<typeof presentOtherWork>) {
  if (work === null || work.newest.length === 0) return '';
  const counts = work.counts.map(({ state, count }) => `${count} ${words(state)}`).join(', ');
  const newest = work.newest.map((each) => {
    const { id_at_revision, title, beginning, state, reason } = each;
    const why = reason === null ? '' : `: ${reason}`;
    const what = [typeOf(each), state].map(words).join('  ');
    return `${shortId(id_at_revision)}  ${what}  ${titleOf({ title, body: beginning })}${why}`;
  });
  return [counts, ...newest].join('\n');
}
