import { randomUUID } from 'node:crypto';
import type { IssueTokenRequest, IssueTokenResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import { issuedBySupport } from '../domain/issue-directly.js';
import { hashOf } from '../domain/secret.js';
import { readAgentName } from '../domain/text.js';
import { newToken } from '../domain/token.js';
import { randomTokenSecret } from '../domain/token-secret.js';
import type { GrantStore } from '../store/grants.js';
import { actOf } from './call.js';
import { presentToken } from './present-token.js';
import { fromWireScopes } from './wire-scopes.js';

/** Makes a token without asking; the mail that tells its human is recorded in the same transaction. */
export function handleIssueToken(
  grants: GrantStore,
  wakeOutbox: () => void,
  clock: Clock,
): UnaryHandler<IssueTokenRequest, IssueTokenResponse> {
  return async (request, context) => {
    const act = actOf(context, clock, request.reason);
    const secret = randomTokenSecret();
    const authorizationId = randomUUID();
    const token = newToken(
      {
        hash: hashOf(secret),
        id: randomUUID(),
        authorizationId,
        lineId: authorizationId,
        email: readEmail(request.email),
        agentName: readAgentName(request.agentName),
        scopes: fromWireScopes(request.scopes),
      },
      act,
    );
    await grants.issueDirectly(issuedBySupport(token, randomUUID(), act), token, context.signal);
    wakeOutbox();
    return { secret, token: presentToken(token) };
  };
}
