import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
  PromptState,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { enumWords } from '@knowledge/runtime/wire';

export const { toWire: toWireState, optional: optionalState } = enumWords('state', ContributionState);
export const { toWire: toWireType, optional: optionalType, require: requireType } = enumWords('type', ContributionType);
export const { toWire: toWirePurpose, optional: optionalPurpose } = enumWords('purpose', InquiryPurpose);
export const { toWire: toWirePromptState, optional: optionalPromptState } = enumWords('state', PromptState);
