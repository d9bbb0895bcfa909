import type {
  GetContributionRequest,
  GetContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, ownerOf } from './call.js';
import { presentContribution } from './wire-contribution.js';

/** ContributionsService.GetContribution. */
export function handleGetContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<GetContributionRequest, GetContributionResponse> {
  return async (request, context) => ({
    contribution: presentContribution(await contributions.getOwn(ownerOf(request), request.id, callOf(context, clock))),
  });
}
