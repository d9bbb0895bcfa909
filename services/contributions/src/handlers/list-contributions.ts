import type {
  ListContributionsRequest,
  ListContributionsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { pageToken, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, ownerOf } from './call.js';
import { presentContribution } from './wire-contribution.js';
import { readState } from './wire-states.js';

/** ContributionsService.ListContributions. */
export function handleListContributions(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<ListContributionsRequest, ListContributionsResponse> {
  return async (request, context) => {
    const state = readState(request.state);
    const page = await contributions.listOwn(ownerOf(request), state, readPageQuery(request), callOf(context, clock));
    return {
      contributions: page.items.map(presentContribution),
      total: page.total,
      nextPageToken: pageToken(page.next),
    };
  };
}
