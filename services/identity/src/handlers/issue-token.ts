import type {
  GrantAdminServiceService,
  IssueTokenRequest,
  IssueTokenResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Act, CallContext } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { actOf, type Handlers } from '@knowledge/runtime/grpc';
import { requireEmail } from '../domain/email.js';
import { type DirectIssue, directIssueId, issueDirectly, issuedBefore } from '../domain/issue-directly.js';
import { requireAgentName, requireReason } from '../domain/text.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { GrantStore } from '../store/grants.js';
import type { TokenStore } from '../store/tokens.js';
import { toWireToken } from './wire-authorization.js';
import { requireScopes } from './wire-enums.js';

/** What it takes to make a token without asking. */
export interface IssueTokenParts {
  authorizations: AuthorizationStore;
  grants: GrantStore;
  tokens: TokenStore;
  /** Which no agent may have as its name. */
  operatorName: string;
  wakeOutbox: () => void;
}

/** Makes a token without asking; the mail that tells its human is recorded in the same transaction. */
export function issueToken(parts: IssueTokenParts): Handlers<GrantAdminServiceService>['issueToken'] {
  return async (request, call) => {
    const act = actOf(call, requireReason(request.reason));
    const asked = fromWire(request, parts.operatorName);
    const before = await answerBefore(parts, asked, act, call);
    if (before !== undefined) return before;
    const { secret, token, authorization } = issueDirectly(asked, act);
    if (await parts.grants.issueDirectly(authorization, token, call.signal)) {
      parts.wakeOutbox();
      return { secret, token: toWireToken(token) };
    }
    // The same call was under way a second time, and the other one was faster.
    const faster = await answerBefore(parts, asked, act, call);
    if (faster === undefined) throw new KnowledgeError('unavailable', 'Try again.', { retryAfterSeconds: 1 });
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

/** The answer that the same request key got before; undefined for a fresh one. */
async function answerBefore(
  { authorizations, tokens }: IssueTokenParts,
  asked: DirectIssue,
  act: Act,
  call: CallContext,
): Promise<IssueTokenResponse | undefined> {
  if (asked.requestKey === undefined) return undefined;
  const made = await authorizations.find(directIssueId(asked.requestKey), call);
  if (made === undefined) return undefined;
  const secret = issuedBefore(made, asked, act);
  const token = await tokens.find(made.grant?.tokenId ?? '', call);
  return token && { secret, token: toWireToken(token) };
}
