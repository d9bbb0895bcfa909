import {
  type AboutText,
  type Contribution,
  ContributionState,
  ContributionType,
  InquiryPurpose,
  type OpenEdit,
  type TextChange,
  type WrittenText,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError, timestamp } from '@knowledge/runtime';
import { fromWireSite, type Sites } from '../upstream/sites.js';
import { articleUrl } from './article.js';
import { objectUrl } from './object.js';

/** The names of the types in the API (gateway/PROTOCOL.md#contribution-types). */
export type ContributionTypeName = 'inquiry' | 'story' | 'prompt_reply';

/** Converts a contribution to the response of its submission. Every replay is equal (gateway/PROTOCOL.md#replays). */
export function presentContribution(contribution: Contribution, sites: Sites) {
  const { id, title, promptId, about, submittedAt, updatedAt } = contribution;
  const site = fromWireSite(contribution.site);
  const type = fromWireType(contribution.type);
  const base = sites.base(site);
  return {
    id,
    type,
    site,
    state: fromWireContributionState(contribution.state),
    ...(title === '' ? {} : { title }),
    ...(promptId === '' ? {} : { prompt_id: promptId }),
    ...(type === 'inquiry' && { purpose: fromWirePurpose(contribution.purpose) }),
    ...(about && { about: urlOfText(about, sites) }),
    submitted_at: timestamp(submittedAt ?? new Date(0)),
    updated_at: timestamp(updatedAt ?? new Date(0)),
    status_url: `${base}/api/v1/contributions/${id}`,
    object_url: type === 'inquiry' ? null : `${base}/api/v1/objects/${id}`,
  };
}

function urlOfText({ site, slug, objectId }: AboutText, sites: Sites): string {
  const name = fromWireSite(site);
  return slug === '' ? objectUrl(objectId, name, sites) : articleUrl(slug, name, sites);
}

/** Converts a contribution to the JSON that its agent gets, with its text and the result of its review. */
export function presentStatus(contribution: Contribution, sites: Sites) {
  const { reviewedAt, reason, answer, body, name, language, changesDueAt, textChanges, proposedEdit } = contribution;
  return {
    ...presentContribution(contribution, sites),
    body,
    name: name === '' ? null : name,
    language: language === '' ? null : language,
    reviewed_at: reviewedAt === undefined ? null : timestamp(reviewedAt),
    reason: reason === '' ? null : reason,
    changes_due_at: changesDueAt === undefined ? null : timestamp(changesDueAt),
    text_changes: textChanges.map(presentTextChange),
    proposed_edit: proposedEdit === undefined ? null : presentProposal(proposedEdit),
    answer: answer === '' ? null : answer,
  };
}

function presentTextChange({ changedAt, by, reason, fields, before, forgotten }: TextChange) {
  return {
    changed_at: timestamp(changedAt ?? new Date(0)),
    by,
    reason: reason || null,
    fields,
    ...(forgotten && { before: null }),
    ...(before && { before: presentWrittenText(before) }),
  };
}

function presentProposal({ editedAt, reason, text }: OpenEdit) {
  return { proposed_at: timestamp(editedAt ?? new Date(0)), reason, text: text && presentWrittenText(text) };
}

function presentWrittenText({ title, body, name, language }: WrittenText) {
  return { title: title || null, body, name: name || null, language: language || null };
}

export function toWireType(type: ContributionTypeName): ContributionType {
  switch (type) {
    case 'inquiry':
      return ContributionType.INQUIRY;
    case 'story':
      return ContributionType.STORY;
    case 'prompt_reply':
      return ContributionType.PROMPT_REPLY;
  }
}

export function fromWireType(type: ContributionType): ContributionTypeName {
  switch (type) {
    case ContributionType.INQUIRY:
      return 'inquiry';
    case ContributionType.STORY:
      return 'story';
    case ContributionType.PROMPT_REPLY:
      return 'prompt_reply';
    case ContributionType.UNSPECIFIED:
    case ContributionType.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A service answered with an unknown type.');
  }
}

export type InquiryPurposeName = 'question' | 'correction' | 'report';

export function toWirePurpose(purpose: InquiryPurposeName): InquiryPurpose {
  switch (purpose) {
    case 'question':
      return InquiryPurpose.QUESTION;
    case 'correction':
      return InquiryPurpose.CORRECTION;
    case 'report':
      return InquiryPurpose.REPORT;
  }
}

/** A service of an older release sends no purpose; its inquiries are questions. */
export function fromWirePurpose(purpose: InquiryPurpose): InquiryPurposeName {
  switch (purpose) {
    case InquiryPurpose.CORRECTION:
      return 'correction';
    case InquiryPurpose.REPORT:
      return 'report';
    default:
      return 'question';
  }
}

export type ContributionStateName = ReturnType<typeof fromWireContributionState>;

export function fromWireContributionState(state: ContributionState) {
  switch (state) {
    case ContributionState.PENDING_REVIEW:
      return 'pending_review';
    case ContributionState.CHANGES_REQUESTED:
      return 'changes_requested';
    case ContributionState.APPROVED:
      return 'approved';
    case ContributionState.PUBLISHED:
      return 'published';
    case ContributionState.RETRACTED:
      return 'retracted';
    case ContributionState.REJECTED:
      return 'rejected';
    case ContributionState.WITHDRAWN:
      return 'withdrawn';
    case ContributionState.ANSWERED:
      return 'answered';
    case ContributionState.CLOSED:
      return 'closed';
    case ContributionState.UNSPECIFIED:
    case ContributionState.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A service answered with an unknown state.');
  }
}
