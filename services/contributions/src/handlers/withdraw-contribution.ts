import type {
  WithdrawContributionRequest,
  WithdrawContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import { callOf, requireEmail } from './call.js';
import { presentContribution } from './wire-contribution.js';

/** ContributionsService.WithdrawContribution. */
export function handleWithdrawContribution(
  contributions: ContributionStore,
  clock: Clock,
): UnaryHandler<WithdrawContributionRequest, WithdrawContributionResponse> {
  return async ({ email, id }, context) => {
    const request = { command: { kind: 'withdraw' } as const, actor: 'contributor', email: requireEmail(email) };
    const { contribution } = await contributions.apply(id, request, callOf(context, clock));
    return { contribution: presentContribution(contribution) };
  };
}
