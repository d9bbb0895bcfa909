import type {
  ListContributionRecordsRequest,
  ListContributionRecordsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { pageToken, readIdPrefix, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { foldEmail } from '../domain/email.js';
import type { ContributionStore } from '../store/contributions.js';
import type { TransitionLog } from '../store/transition-log.js';
import { callOf, lookOf } from './call.js';
import { presentRecord } from './present-record.js';
import { readSite } from './wire-enums.js';
import { readState, readType } from './wire-states.js';

/** ModerationService.ListContributionRecords. It shows whose they are, so who lists them is stored first. */
export function handleListContributionRecords(
  contributions: ContributionStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<ListContributionRecordsRequest, ListContributionRecordsResponse> {
  return async (request, context) => {
    const filter = {
      ...{ state: readState(request.state), type: readType(request.type), site: readSite(request.site) },
      ...{ email: foldEmail(request.email ?? ''), idPrefix: readIdPrefix(request.idPrefix) },
    };
    const page = await contributions.listRecords(filter, readPageQuery(request), callOf(context, clock));
    const look = { subject: 'contribution' as const, id: '', to: 'listed' as const, ...lookOf(context, clock) };
    await transitions.record(look, context.signal);
    return { contributions: page.items.map(presentRecord), nextPageToken: pageToken(page.next) };
  };
}
