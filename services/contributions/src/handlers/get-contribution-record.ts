import type {
  GetContributionRecordRequest,
  GetContributionRecordResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import type { TransitionLog } from '../store/transition-log.js';
import { callOf, lookOf } from './call.js';
import { presentWholeRecord } from './present-record.js';

/** ModerationService.GetContributionRecord. It shows whose the contribution is, so who looks is stored first. */
export function handleGetContributionRecord(
  contributions: ContributionStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<GetContributionRecordRequest, GetContributionRecordResponse> {
  return async ({ id }, context) => {
    const record = await contributions.getRecord(id, callOf(context, clock));
    const { email } = record.contribution;
    const whose = email === '' ? {} : { person: personHash(email) };
    const look = { subject: 'contribution' as const, id, to: 'viewed' as const, ...whose, ...lookOf(context, clock) };
    await transitions.record(look, context.signal);
    return { contribution: presentWholeRecord(record) };
  };
}
