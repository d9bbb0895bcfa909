import {
  type AboutText,
  type Contribution,
  ContributionState,
  ContributionType,
  InquiryPurpose,
  type OpenEdit,
  type TextChange,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { type Authorization, AuthorizationState, type Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { kinds, presentWritten } from '@knowledge/runtime/product';
import { enumWords, fromWireScope } from '@knowledge/runtime/wire';
import { textsOfSomeTypes } from '../protocol/contributions.js';
import { fromWireSite, type Sites, siteNames } from '../upstream/sites.js';
import { articleUrl, objectUrl, timeOf, timeOrNull } from './article.js';

/** Converts a contribution to the response of its submission. Every replay is equal (gateway/PROTOCOL.md#replays). */
export function presentContribution(contribution: Contribution, sites: Sites) {
  const { id, about, submittedAt, updatedAt } = contribution;
  const site = fromWireSite(contribution.site);
  const type = fromWireType(contribution.type);
  const base = sites.base(site);
  return {
    id,
    type,
    site,
    state: fromWireContributionState(contribution.state),
    ...presentTextsOfType(contribution),
    ...(kinds[type].hasPurpose && { purpose: fromWirePurpose(contribution.purpose) }),
    ...(about && { about: urlOfText(about, sites) }),
    submitted_at: timeOf(submittedAt),
    updated_at: timeOf(updatedAt),
    status_url: `${base}/api/v1/contributions/${id}`,
    object_url: kinds[type].isPublic ? `${base}/api/v1/objects/${id}` : null,
  };
}

/** The texts of its type, without empty ones. */
function presentTextsOfType(contribution: Contribution) {
  const texts = { ...contribution, prompt_id: contribution.promptId };
  const names = Object.keys(textsOfSomeTypes) as (keyof typeof textsOfSomeTypes)[];
  return Object.fromEntries(names.map((name) => [name, texts[name] || undefined]));
}

function urlOfText({ site, slug, objectId }: AboutText, sites: Sites) {
  const name = fromWireSite(site);
  return slug === '' ? objectUrl(objectId, name, sites) : articleUrl(slug, name, sites);
}

/** Converts a contribution to the JSON that its agent gets, with its text and the result of its review. */
export function presentStatus(contribution: Contribution, sites: Sites) {
  const { reviewedAt, reason, answer, changesDueAt, textChanges, proposedEdit } = contribution;
  return {
    ...presentWritten(contribution),
    ...presentContribution(contribution, sites),
    reviewed_at: timeOrNull(reviewedAt),
    reason: reason || null,
    changes_due_at: timeOrNull(changesDueAt),
    text_changes: textChanges.map(presentTextChange),
    proposed_edit: proposedEdit === undefined ? null : presentProposal(proposedEdit),
    answer: answer || null,
  };
}

function presentTextChange({ changedAt, by, reason, fields, before, forgotten }: TextChange) {
  return {
    changed_at: timeOf(changedAt),
    by,
    reason: reason || null,
    fields,
    ...(forgotten && { before: null }),
    ...(before && { before: presentWritten(before) }),
  };
}

function presentProposal({ editedAt, reason, text }: OpenEdit) {
  return { proposed_at: timeOf(editedAt), reason, text: text && presentWritten(text) };
}

export const { toWire: toWireType, answered: fromWireType } = enumWords('type', ContributionType);
export const { answered: fromWireContributionState } = enumWords('state', ContributionState);
const purposes = enumWords('purpose', InquiryPurpose);
export const toWirePurpose = purposes.toWire;

/** An inquiry with no purpose, or one that only a newer service knows, is a question. */
export const fromWirePurpose = (purpose: InquiryPurpose) =>
  isNamed(purpose) ? purposes.answered(purpose) : 'question';
const isNamed = (purpose: InquiryPurpose) =>
  purpose !== InquiryPurpose.UNSPECIFIED && purpose !== InquiryPurpose.UNRECOGNIZED;

/** The names of the states in the API. */
export type ContributionStateName = ReturnType<typeof fromWireContributionState>;

export const { answered: fromWireAuthorizationState } = enumWords('state', AuthorizationState);

/** Converts an authorization to the JSON that its agent gets (gateway/PROTOCOL.md#request). */
export function presentAuthorization({ id, state, maskedEmail, scopes, expiresAt }: Authorization) {
  return {
    id,
    state: fromWireAuthorizationState(state),
    email: maskedEmail,
    scopes: scopes.map(fromWireScope),
    expires_at: timeOf(expiresAt),
  };
}

/** Converts a token to the JSON that its agent gets (gateway/PROTOCOL.md#tokens). */
export function presentToken({ id, agentName, email, scopes, createdAt, expiresAt, lastUsedAt }: Token) {
  return {
    id,
    agent_name: agentName,
    email,
    scopes: scopes.map(fromWireScope),
    sites: siteNames,
    created_at: timeOf(createdAt),
    expires_at: timeOf(expiresAt),
    last_used_at: timeOrNull(lastUsedAt),
  };
}
