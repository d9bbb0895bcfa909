import type {
  WithdrawContributionRequest,
  WithdrawContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, ownerOf } from './call.js';
import { presentContribution } from './wire-contribution.js';

/** ContributionsService.WithdrawContribution. */
export function handleWithdrawContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<WithdrawContributionRequest, WithdrawContributionResponse> {
  return async (asked, context) => {
    const owner = ownerOf(asked);
    const actor = owner.authorizationId === undefined ? 'human' : 'agent';
    const request = { command: { kind: 'withdraw' } as const, actor, owner };
    const { contribution } = await contributions.apply(asked.id, request, callOf(context, clock));
    return { contribution: presentContribution(contribution) };
  };
}
