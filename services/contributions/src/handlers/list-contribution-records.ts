import type {
  ListContributionRecordsRequest,
  ListContributionRecordsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { pageToken, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf } from './call.js';
import { presentRecord } from './present-record.js';
import { readState, readType } from './wire-contribution.js';
import { readSite } from './wire-enums.js';

/** ModerationService.ListContributionRecords. */
export function handleListContributionRecords(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<ListContributionRecordsRequest, ListContributionRecordsResponse> {
  return async (request, context) => {
    const filter = { state: readState(request.state), type: readType(request.type), site: readSite(request.site) };
    const page = await contributions.listRecords(filter, readPageQuery(request), callOf(context, clock));
    return { contributions: page.items.map(presentRecord), nextPageToken: pageToken(page.next) };
  };
}
