import type {
  GetContributionRecordRequest,
  GetContributionRecordResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf } from './call.js';
import { presentWholeRecord } from './present-record.js';

/** ModerationService.GetContributionRecord. */
export function handleGetContributionRecord(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<GetContributionRecordRequest, GetContributionRecordResponse> {
  return async ({ id }, context) => ({
    contribution: presentWholeRecord(await contributions.getRecord(id, callOf(context, clock))),
  });
}
