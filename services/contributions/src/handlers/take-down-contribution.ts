import type {
  TakeDownContributionRequest,
  TakeDownContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, ownerOf } from './call.js';
import { presentContribution } from './wire-contribution.js';

/** ContributionsService.TakeDownContribution. */
export function handleTakeDownContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<TakeDownContributionRequest, TakeDownContributionResponse> {
  return async ({ email, id }, context) => {
    const owner = ownerOf({ email, authorizationId: '' });
    const request = { command: { kind: 'take_down' } as const, actor: 'human', owner };
    const { contribution } = await contributions.apply(id, request, callOf(context, clock));
    return { contribution: presentContribution(contribution) };
  };
}
