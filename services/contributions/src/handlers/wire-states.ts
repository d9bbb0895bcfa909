import {
  ContributionState as WireState,
  ContributionType as WireType,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { ContributionState, ContributionType } from '../domain/contribution.js';

/** The type of a filter; undefined for every type. */
export function readType(type: WireType): ContributionType | undefined {
  switch (type) {
    case WireType.INQUIRY:
      return 'inquiry';
    case WireType.STORY:
      return 'story';
    case WireType.PROMPT_REPLY:
      return 'prompt_reply';
    case WireType.UNSPECIFIED:
      return undefined;
    case WireType.UNRECOGNIZED:
      throw new KnowledgeError('validation_error', 'type must be inquiry, story or prompt_reply.');
  }
}

/** The state of a filter; undefined for every state. */
export function readState(state: WireState): ContributionState | undefined {
  switch (state) {
    case WireState.PENDING_REVIEW:
      return 'pending_review';
    case WireState.APPROVED:
      return 'approved';
    case WireState.PUBLISHED:
      return 'published';
    case WireState.RETRACTED:
      return 'retracted';
    case WireState.REJECTED:
      return 'rejected';
    case WireState.WITHDRAWN:
      return 'withdrawn';
    case WireState.ANSWERED:
      return 'answered';
    case WireState.CLOSED:
      return 'closed';
    case WireState.UNSPECIFIED:
      return undefined;
    case WireState.UNRECOGNIZED:
      throw new KnowledgeError('validation_error', 'state must be a state of contributions.');
  }
}

export function presentType(type: ContributionType): WireType {
  switch (type) {
    case 'inquiry':
      return WireType.INQUIRY;
    case 'story':
      return WireType.STORY;
    case 'prompt_reply':
      return WireType.PROMPT_REPLY;
  }
}

export function presentState(state: ContributionState): WireState {
  switch (state) {
    case 'pending_review':
      return WireState.PENDING_REVIEW;
    case 'approved':
      return WireState.APPROVED;
    case 'published':
      return WireState.PUBLISHED;
    case 'retracted':
      return WireState.RETRACTED;
    case 'rejected':
      return WireState.REJECTED;
    case 'withdrawn':
      return WireState.WITHDRAWN;
    case 'answered':
      return WireState.ANSWERED;
    case 'closed':
      return WireState.CLOSED;
  }
}
