import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { enumWords } from '../words.js';

export const contributionStates = enumWords(ContributionState);

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
