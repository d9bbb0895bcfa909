import type {
  GetContributionRequest,
  GetContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, requireEmail } from './call.js';
import { presentContribution } from './wire-contribution.js';

/** ContributionsService.GetContribution. */
export function handleGetContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<GetContributionRequest, GetContributionResponse> {
  return async ({ email, id }, context) => ({
    contribution: presentContribution(await contributions.getOwn(requireEmail(email), id, callOf(context, clock))),
  });
}
