import { randomUUID } from 'node:crypto';
import type {
  DecideAuthorizationRequest,
  IdentityServiceService,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { CallContext } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import type { Authorization, Decision } from '../domain/authorization.js';
import { decide } from '../domain/decide.js';
import { accessKeyOf, invalidCode, requireKnownCode } from '../domain/mailed-code.js';
import { optionalSecretCode, type SecretCode } from '../domain/secret.js';
import { actors } from '../domain/transition.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { GrantStore } from '../store/grants.js';
import type { TokenStore } from '../store/tokens.js';
import { accessUntil } from './get-confirmation.js';
import { toWireAuthorization } from './wire-authorization.js';
import { requireDecision } from './wire-enums.js';

export interface DecideParts {
  authorizations: AuthorizationStore;
  grants: GrantStore;
  tokens: TokenStore;
  wakeOutbox: () => void;
}

/**
 * Applies a decision with a confirmation code. A confirmation also stores the mail with the access link, in the same
 * write.
 */
export function decideAuthorization(parts: DecideParts): Handlers<IdentityServiceService>['decideAuthorization'] {
  const { authorizations, tokens, wakeOutbox } = parts;
  return async (request, call) => {
    const decision = requireDecision(request.decision);
    const code = optionalSecretCode(request.code);
    if (code === undefined) throw invalidCode();
    const { isFirst, ended } = await changeAuthorization(parts, request, { code, decision }, call);
    const decided = await authorizations.find(code.id, call);
    if (decided === undefined) throw invalidCode();
    wakeOutbox();
    return {
      authorization: toWireAuthorization(decided, call.now),
      // A repeat gets no key, so a link that somebody else has opens no access page.
      accessKey: isFirst && decision === 'confirm' ? keyOf(decided, code) : '',
      accessUntil: await accessUntil(decided, tokens, call),
      endedAuthorizationId: ended ?? '',
      endedEmail: ended === undefined ? '' : decided.email,
    };
  };
}

async function changeAuthorization(
  { authorizations, grants }: DecideParts,
  { userCode, fromPage, keepWaiting }: DecideAuthorizationRequest,
  { code, decision }: { code: SecretCode; decision: Decision },
  call: CallContext,
): Promise<{ isFirst: boolean; ended?: string | undefined }> {
  const sent = { code, decision, userCode, fromPage, mailId: randomUUID(), traceparent: call.traceparent };
  const outcome = await authorizations.change(
    code.id,
    (authorization) => {
      const { change, ...result } = decide(authorization, sent, call.now);
      return { change, result: { ...result, isFirst: change !== undefined } };
    },
    call,
  );
  if (outcome === undefined) throw invalidCode();
  if (outcome.refusal !== undefined) throw outcome.refusal;
  const { isFirst } = outcome;
  if (!outcome.ends) return { isFirst };
  const { now: at, requestId } = call;
  const act = { actor: actors.human, at, reason: '', requestId, withdrawWaiting: !keepWaiting };
  const chain = await grants.revokeGrant(code.id, act, call.signal);
  return { isFirst, ended: chain?.revoked ? chain.rootAuthorizationId : undefined };
}

function keyOf(authorization: Authorization, code: SecretCode): string {
  return accessKeyOf(authorization.id, code, requireKnownCode(authorization, code));
}
