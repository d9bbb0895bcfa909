import type { IssueTokenRequest, IssueTokenResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import { type DirectIssue, directIssueId, issueDirectly, issuedBefore } from '../domain/issue-directly.js';
import { readAgentName } from '../domain/text.js';
import type { Act } from '../domain/transition.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { Call } from '../store/call.js';
import type { GrantStore } from '../store/grants.js';
import type { TokenStore } from '../store/tokens.js';
import { actOf, callOf } from './call.js';
import { presentToken } from './present-token.js';
import { fromWireScopes } from './wire-scopes.js';

/** What it takes to make a token without asking. */
export interface IssueTokenDeps {
  authorizations: AuthorizationStore;
  grants: GrantStore;
  tokens: TokenStore;
  /** Which no agent may have as its name. */
  operatorName: string;
  wakeOutbox: () => void;
  clock: Clock;
}

/** Makes a token without asking; the mail that tells its human is recorded in the same transaction. */
export function handleIssueToken(deps: IssueTokenDeps): UnaryHandler<IssueTokenRequest, IssueTokenResponse> {
  return async (request, context) => {
    const act = actOf(context, deps.clock, request.reason);
    const call = callOf(context, deps.clock);
    const asked = readRequest(request, deps.operatorName);
    const before = await answerBefore(deps, asked, act, call);
    if (before !== undefined) return before;
    const { secret, token, authorization } = issueDirectly(asked, act);
    if (await deps.grants.issueDirectly(authorization, token, context.signal)) {
      deps.wakeOutbox();
      return { secret, token: presentToken(token) };
    }
    // The same call was under way a second time, and the other one was faster.
    const faster = await answerBefore(deps, asked, act, call);
    if (faster === undefined) throw new KnowledgeError('unavailable', 'Try again.', { retryAfterSeconds: 1 });
    return faster;
  };
}

function readRequest(request: IssueTokenRequest, operatorName: string): DirectIssue {
  return {
    requestKey: request.requestKey || undefined,
    email: readEmail(request.email),
    agentName: readAgentName(request.agentName, operatorName),
    scopes: fromWireScopes(request.scopes),
  };
}

/** The answer that the same request key got before; undefined for a fresh one. */
async function answerBefore(
  { authorizations, tokens }: IssueTokenDeps,
  asked: DirectIssue,
  act: Act,
  call: Call,
): Promise<IssueTokenResponse | undefined> {
  if (asked.requestKey === undefined) return undefined;
  const made = await authorizations.find(directIssueId(asked.requestKey), call);
  if (made === undefined) return undefined;
  const secret = issuedBefore(made, asked, act);
  const token = await tokens.find(made.grant?.tokenId ?? '', call);
  return token && { secret, token: presentToken(token) };
}
