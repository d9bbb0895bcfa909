import type {
  GrantAdminServiceService,
  IssueTokenRequest,
  IssueTokenResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { type Attribution, type CallContext, KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireEmail } from '@knowledge/runtime/wire';
import { type DirectIssue, directIssueId, issueDirectly, repeatedSecret } from '../domain/issue-directly.js';
import { requireAgentName, requireReason } from '../domain/text.js';
import type { IdentityParts } from './parts.js';
import { requireScopes, toWireToken } from './wire.js';

/** Issues a token without a confirmation. The same transaction stores the mail to the human. */
export function issueToken(parts: IdentityParts): Handlers<GrantAdminServiceService>['issueToken'] {
  return async (request, call) => {
    const act = requireAttribution(call, requireReason(request.reason));
    const requested = fromWire(request, parts.operatorName);
    const earlier = await earlierResponse(parts, requested, act, call);
    if (earlier !== undefined) return earlier;
    const { secret, token, authorization } = issueDirectly(requested, act);
    if (await parts.grants.issueDirectly(authorization, token, call.signal)) {
      parts.wakeOutbox();
      return { secret, token: toWireToken(token) };
    }
    // Another call with the same request key was faster, so its token is the response.
    const faster = await earlierResponse(parts, requested, act, call);
    if (faster === undefined)
      throw new KnowledgeError('unavailable', 'Another call changed this at the same time; try again.', {
        retryAfterSeconds: 1,
      });
    return faster;
  };
}

function fromWire(request: IssueTokenRequest, operatorName: string): DirectIssue {
  return {
    requestKey: request.requestKey || undefined,
    email: requireEmail(request.email),
    agentName: requireAgentName(request.agentName, operatorName),
    scopes: requireScopes(request.scopes),
  };
}

/** The response to an earlier call with the same request key; undefined if there was no such call. */
async function earlierResponse(
  { authorizations, tokens }: IdentityParts,
  requested: DirectIssue,
  act: Attribution,
  call: CallContext,
): Promise<IssueTokenResponse | undefined> {
  if (requested.requestKey === undefined) return undefined;
  const made = await authorizations.find(directIssueId(requested.requestKey), call);
  if (made === undefined) return undefined;
  const secret = repeatedSecret(made, requested, act);
  const token = await tokens.find(made.grant?.tokenId ?? '', call);
  return token && { secret, token: toWireToken(token) };
}
