import type {
  AnswerInquiryRequest,
  AnswerInquiryResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, requireActor } from './call.js';
import { presentRecord } from './present-record.js';

/** ModerationService.AnswerInquiry. */
export function handleAnswerInquiry(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<AnswerInquiryRequest, AnswerInquiryResponse> {
  return async ({ id, expectedRevision, text }, context) => {
    const command = { kind: 'answer', text } as const;
    const request = { command, actor: requireActor(context), expectedRevision };
    return { contribution: presentRecord(await contributions.apply(id, request, callOf(context, clock))) };
  };
}
