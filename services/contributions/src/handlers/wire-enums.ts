import {
  ContributionState,
  ContributionType,
  EditDecision,
  InquiryPurpose,
  PromptState,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { AllowedEdit } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { enumWords } from '@knowledge/runtime/wire';
import type { Contribution } from '../domain/contribution.js';

export const { toWire: toWireState, optional: optionalState } = enumWords('state', ContributionState);
export const { toWire: toWireType, optional: optionalType, require: requireType } = enumWords('type', ContributionType);
export const { require: requireEditDecision } = enumWords('decision', EditDecision);
export const { toWire: toWireDecision, require: requireDecision } = enumWords('decision', Decision);
export const { toWire: toWireAllowedEdit } = enumWords('allowed_edit', AllowedEdit);
const purposes = enumWords('purpose', InquiryPurpose);
export const optionalPurpose = purposes.optional;
export const { toWire: toWirePromptState, optional: optionalPromptState } = enumWords('state', PromptState);

/** The purpose of an inquiry; unspecified for other types. */
export const toWirePurpose = (purpose: Contribution['purpose'] | undefined): InquiryPurpose =>
  purposes.toWire(purpose ?? undefined);
