import type {
  RejectContributionRequest,
  RejectContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, requireActor } from './call.js';
import { presentRecord } from './present-record.js';

/** ModerationService.RejectContribution. */
export function handleRejectContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<RejectContributionRequest, RejectContributionResponse> {
  return async ({ id, expectedRevision, reason }, context) => {
    const command = { kind: 'reject', reason } as const;
    const request = { command, actor: requireActor(context), expectedRevision };
    return { contribution: presentRecord(await contributions.apply(id, request, callOf(context, clock))) };
  };
}
