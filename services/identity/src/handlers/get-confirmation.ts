import type { GetConfirmationRequest, GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { invalidCode, requireLiveCode } from '../domain/mailed-code.js';
import { readSecret } from '../domain/secret.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { callOf } from './call.js';
import { presentAuthorization } from './present-authorization.js';

/** Shows the request behind a mailed code. It never writes: mail scanners open links (protocol 5.3). */
export function handleGetConfirmation(
  authorizations: AuthorizationStore,
  clock: Clock,
): UnaryHandler<GetConfirmationRequest, GetConfirmationResponse> {
  return async ({ code }, context) => {
    const read = readSecret(code);
    if (read === undefined) throw invalidCode();
    const call = callOf(context, clock);
    const authorization = await authorizations.find(read.id, call);
    requireLiveCode(authorization, read, call.now);
    if (authorization === undefined) throw invalidCode();
    return {
      authorization: presentAuthorization(authorization, call.now),
      userCodeRequired: authorization.userCodeHash !== null,
      email: authorization.email,
    };
  };
}
