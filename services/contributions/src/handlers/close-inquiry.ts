import type { CloseInquiryRequest, CloseInquiryResponse } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, requireActor } from './call.js';
import { presentRecord } from './present-record.js';

/** ModerationService.CloseInquiry. */
export function handleCloseInquiry(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<CloseInquiryRequest, CloseInquiryResponse> {
  return async ({ id, expectedRevision, reason, note }, context) => {
    const command = { kind: 'close', reason, note } as const;
    const request = { command, actor: requireActor(context), expectedRevision };
    return { contribution: presentRecord(await contributions.apply(id, request, callOf(context, clock))) };
  };
}
