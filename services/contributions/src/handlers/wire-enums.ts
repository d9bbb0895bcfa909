import {
  ContributionState,
  ContributionType,
  EditDecision,
  InquiryPurpose,
  PromptState,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { enumWords } from '@knowledge/runtime/wire';
import type { Contribution } from '../domain/contribution.js';

export const { toWire: toWireState, optional: optionalState } = enumWords('state', ContributionState);
export const { toWire: toWireType, optional: optionalType, require: requireType } = enumWords('type', ContributionType);
export const { require: requireDecision } = enumWords('decision', EditDecision);
const purposes = enumWords('purpose', InquiryPurpose);
export const optionalPurpose = purposes.optional;
export const { toWire: toWirePromptState, optional: optionalPromptState } = enumWords('state', PromptState);

/** The purpose of an inquiry; unspecified for other types. */
export const toWirePurpose = (purpose: Contribution['purpose'] | undefined): InquiryPurpose =>
  purposes.toWire(purpose ?? undefined);
