import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { enumWords } from '../words.js';

export const contributionStates = enumWords(ContributionState, 'CONTRIBUTION_STATE_');

export const inquiryPurposes = enumWords(InquiryPurpose, 'INQUIRY_PURPOSE_');

export const contributionTypes = enumWords(ContributionType, 'CONTRIBUTION_TYPE_');
