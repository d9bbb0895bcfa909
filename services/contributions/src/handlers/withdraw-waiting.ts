import type {
  WithdrawWaitingRequest,
  WithdrawWaitingResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { ContributionStore } from '../store/contributions.js';
import type { EndAuthorizations } from '../store/ending.js';
import { callOf, requireEmail } from './call.js';

const most = 200;

/** ContributionsService.WithdrawWaiting. */
export function handleWithdrawWaiting(
  contributions: ContributionStore,
  endAuthorizations: EndAuthorizations,
  clock: Clock,
): UnaryHandler<WithdrawWaitingRequest, WithdrawWaitingResponse> {
  return async (request, context) => {
    const { authorizationIds } = request;
    const email = requireEmail(request.email);
    if (authorizationIds.length > most || authorizationIds.some((id) => id === '')) {
      throw new KnowledgeError('validation_error', `authorization_ids must be at most ${most} ids, none empty.`);
    }
    const call = callOf(context, clock);
    const end = { at: call.now, by: 'human' };
    await endAuthorizations({ authorizationIds, email, end, withdrawWaiting: true }, call);
    return { withdrawn: await contributions.countEnded(authorizationIds, email, call.signal) };
  };
}
