import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { AllowedEdit } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type DecisionName, decisions } from '@knowledge/runtime/product';
import { enumWords } from '../words.js';

export const contributionStates = enumWords(ContributionState);

export const decisionWords = enumWords(Decision);

export function isDecisionName(word: string): word is DecisionName {
  return Object.hasOwn(decisions, word);
}

/** How a text can be edited: with other `words`, or only by `removal`; null for not at all. */
export function presentAllowedEdit(edit: AllowedEdit): string | null {
  return edit === AllowedEdit.UNSPECIFIED ? null : allowedEdits.fromWire(edit);
}

const allowedEdits = enumWords(AllowedEdit);

export const inquiryPurposes = enumWords(InquiryPurpose);

/** The purpose of an inquiry; null for other types. */
export function presentPurpose(purpose: InquiryPurpose): string | null {
  return purpose === InquiryPurpose.UNSPECIFIED ? null : inquiryPurposes.fromWire(purpose);
}

/** What moderators call it: `correction` and `report` in place of `inquiry`. */
export function typeOf({ type, purpose }: { readonly type: string; readonly purpose: string | null }): string {
  return purpose === null || purpose === 'question' ? type : purpose;
}

export const contributionTypes = enumWords(ContributionType);
