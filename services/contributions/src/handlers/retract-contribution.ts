import type {
  RetractContributionRequest,
  RetractContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, requireActor } from './call.js';
import { presentRecord } from './present-record.js';

/** ModerationService.RetractContribution. */
export function handleRetractContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<RetractContributionRequest, RetractContributionResponse> {
  return async ({ id, expectedRevision, reason }, context) => {
    const command = { kind: 'retract', reason } as const;
    const request = { command, actor: requireActor(context), expectedRevision };
    return { contribution: presentRecord(await contributions.apply(id, request, callOf(context, clock))) };
  };
}
