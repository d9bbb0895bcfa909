import type { MailDelivery } from '@knowledge/proto/knowledge/common/v1/common';
import {
  type ContributionFilter,
  type CountContributionRecordsRequest,
  type ListContributionRecordsRequest,
  type HeldDecision as WireHeld,
  RecordOrder as WireOrder,
  type OtherWork as WireOtherWork,
  type ContributionRecord as WireRecord,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import {
  canonicalLanguage,
  decodePageToken,
  encodePageToken,
  languageBound,
  mailboxOf,
  readIdPrefix,
  readPageSize,
  readPageTime,
  refuse,
} from '@knowledge/runtime';
import { toWireMail } from '@knowledge/runtime/mail';
import { enumWords, optionalSite, requireEmail, toWireTransition } from '@knowledge/runtime/wire';
import { type Contribution, type HeldDecision, seenBy } from '../domain/contribution.js';
import { allowedEdit } from '../domain/edit.js';
import { allowedDecisions } from '../domain/review.js';
import { agentTerm, languageTerm, purposeTerms, queryTerms } from '../domain/search-terms.js';
import { hiddenIn } from '../publications/domain.js';
import type { ContributionRecord } from '../store/contribution-document.js';
import { joined } from '../store/people.js';
import type { RecordFilter, RecordPosition } from '../store/record-filter.js';
import type { RecordPage } from '../store/record-queue.js';
import { beginningLength, type OtherWork, type RelatedWork } from '../store/related-work.js';
import {
  optionalPurpose,
  optionalState,
  optionalType,
  toWireAbout,
  toWireAllowedEdit,
  toWireContribution,
  toWireDecision,
  toWirePurpose,
  toWireState,
  toWireType,
} from './wire-contribution.js';

/** Converts a contribution for moderators. The history is left out; `actor` is who reads it. */
export function toWireRecord(record: ContributionRecord, actor?: string): WireRecord {
  const { contribution, mails, accessEnd, risk, findings } = record;
  return {
    contribution: toWireContribution(contribution),
    email: contribution.email,
    agentName: contribution.agentName,
    publishedRevision: contribution.catalogRevision,
    mails: toWireMails(mails, contribution),
    history: [],
    accessEndedAt: accessEnd?.at,
    accessEndedBy: accessEnd?.by ?? '',
    duplicateOf: contribution.duplicateOf?.id ?? '',
    hiddenCharacters: hiddenIn(contribution),
    note: contribution.note,
    changedBy: contribution.history.at(-1)?.actor ?? '',
    held: contribution.held ? toWireHeld(contribution.held) : undefined,
    openBy: [],
    notes: [],
    risk,
    checks: findings.map(({ about, ...finding }) => ({ ...finding, about: about && toWireAbout(about) })),
    similar: [],
    allowedDecisions: allowedDecisions(contribution).map(toWireDecision),
    allowedEdit: toWireAllowedEdit(allowedEdit(contribution)),
    seenRevision: actor === undefined ? undefined : seenBy(contribution, actor),
  };
}

/** Converts a contribution for moderators, with its history. */
export function toWireWholeRecord(record: ContributionRecord, actor: string): WireRecord {
  return { ...toWireRecord(record, actor), history: record.contribution.history.map(toWireTransition) };
}

function toWireHeld({ command, at, group, ...held }: HeldDecision): WireHeld {
  return {
    ...held,
    decision: toWireDecision(command.kind),
    decidedAt: at,
    text: command.text ?? '',
    note: command.note ?? '',
    groupId: group?.id,
    endsAgent: group?.endsAgent,
  };
}

// Cancelled mails are left out, since they were never sent, unless another mail told them.
function toWireMails(mails: ContributionRecord['mails'], { history }: Contribution): MailDelivery[] {
  const takenBack = history.filter(({ from }) => joined.some((state) => state === from));
  // Its rejection was taken back before it was sent, and it told no later one.
  const toldOthers = ({ id, recordedAt, sentAt }: (typeof mails)[0]) =>
    takenBack.some(({ at }) => recordedAt < at && at < (sentAt ?? recordedAt)) &&
    !mails.some(({ into }) => into === id);
  return mails
    .filter(({ state, into }) => state !== 'cancelled' || into !== undefined)
    .map((mail) => ({
      ...toWireMail(mail),
      ...(mail.into !== undefined && { state: 'joined' }),
      ...(toldOthers(mail) && { state: 'sent for others' }),
    }));
}

/** Converts what a moderator wants to know beside a contribution of this human. */
export function toWireRelatedWork({ similar, ofHuman, ofAgent }: RelatedWork, email: string) {
  return {
    similar: similar.map(({ document, percent }) => ({
      id: document._id,
      title: document.title ?? '',
      state: toWireState(document.state),
      percent,
      beginning: [...document.body.slice(0, 2 * beginningLength)].slice(0, beginningLength).join(''),
      revision: document.revision,
      sameHuman: email !== '' && mailboxOf(document.email) === mailboxOf(email),
    })),
    ofHuman: ofHuman && toWireOtherWork(ofHuman),
    ofAgent: ofAgent && toWireOtherWork(ofAgent),
  };
}

function toWireOtherWork({ counts, newest }: OtherWork): WireOtherWork {
  return {
    counts: counts.map(({ state, count }) => ({ state: toWireState(state), count })),
    newest: newest.map(({ _id: id, ...each }) => ({
      ...each,
      id,
      title: each.title ?? '',
      type: toWireType(each.type),
      state: toWireState(each.state),
      purpose: toWirePurpose(each.purpose),
    })),
  };
}

const { optional: optionalOrder } = enumWords('order', WireOrder);

type Filtered = CountContributionRecordsRequest & Partial<ListContributionRecordsRequest>;

/** @throws KnowledgeError `validation_error` for a field that is not valid. */
export function readRecordFilter({ filter, idPrefix, requestId }: Filtered): RecordFilter {
  const { states = [], types = [] } = filter ?? {};
  if (states.length > most || types.length > most) refuse(`states and types must be at most ${most} each`);
  const { sentSince: since, sentBefore: before } = filter ?? {};
  return {
    states: [...new Set(states.map(optionalState))].filter(isKnown),
    types: [...new Set(types.map(optionalType))].filter(isKnown),
    site: filter && optionalSite(filter.site),
    purpose: filter && optionalPurpose(filter.purpose),
    terms: termsOf(filter),
    group: filter?.group || undefined,
    email: filter?.email ? requireEmail(filter.email) : undefined,
    idPrefix: readIdPrefix(idPrefix),
    requestId: requestId || undefined,
    since,
    before,
  };
}

const most = 20;

const isKnown = <Value>(value: Value | undefined): value is Value => value !== undefined;

function termsOf(filter: ContributionFilter | undefined): number[] {
  const { language = '', agentName = '', query = '' } = filter ?? {};
  const terms = query.trim() === '' ? [] : queryTerms(query);
  terms.push(...purposeTerms(filter && optionalPurpose(filter.purpose)));
  if (agentName !== '') terms.push(agentTerm(agentName));
  if (language !== '') terms.push(languageTerm(canonicalLanguage(language) ?? refuse(`language ${languageBound}`)));
  return [...new Set(terms)];
}

/** @throws KnowledgeError `validation_error` for a size or token that is not valid. */
export function readRecordPage({ pageSize, pageToken, order }: ListContributionRecordsRequest): RecordPage {
  const key = decodePageToken(pageToken, [], ['number', 'number', 'string']);
  return {
    order: (order && optionalOrder(order)) ?? 'oldest',
    size: readPageSize(pageSize),
    after: key && { risk: key[0], at: readPageTime(key[1]), id: key[2] },
  };
}

export function recordPageToken(next: RecordPosition | undefined): string {
  return next === undefined ? '' : encodePageToken([], [next.risk, next.at.getTime(), next.id]);
}
