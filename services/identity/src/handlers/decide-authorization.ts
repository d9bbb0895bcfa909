import { randomUUID } from 'node:crypto';
import {
  type DecideAuthorizationRequest,
  type DecideAuthorizationResponse,
  Decision as WireDecision,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { Authorization, Decision } from '../domain/authorization.js';
import { decide } from '../domain/decide.js';
import { accessKeyOf, invalidCode, requireKnownCode } from '../domain/mailed-code.js';
import { type ReadSecret, readSecret } from '../domain/secret.js';
import { actors } from '../domain/transition.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { Call } from '../store/call.js';
import type { GrantStore } from '../store/grants.js';
import type { TokenStore } from '../store/tokens.js';
import { callOf } from './call.js';
import { accessUntil } from './get-confirmation.js';
import { presentAuthorization } from './present-authorization.js';

/** What it takes to decide. */
export interface DecideDeps {
  authorizations: AuthorizationStore;
  grants: GrantStore;
  tokens: TokenStore;
  wakeOutbox: () => void;
  clock: Clock;
}

/** Decides a request by its mailed code; the mail with the human's own link is recorded in the same write. */
export function handleDecideAuthorization(
  deps: DecideDeps,
): UnaryHandler<DecideAuthorizationRequest, DecideAuthorizationResponse> {
  const { authorizations, tokens, wakeOutbox, clock } = deps;
  return async (request, context) => {
    const decision = fromWire(request.decision);
    const code = readSecret(request.code);
    if (code === undefined) throw invalidCode();
    const call = callOf(context, clock);
    const ended = await apply(deps, request, { code, decision }, call);
    const decided = await authorizations.find(code.id, call);
    if (decided === undefined) throw invalidCode();
    wakeOutbox();
    return {
      authorization: presentAuthorization(decided, call.now),
      accessKey: decision === 'confirm' ? keyOf(decided, code, call.now) : '',
      accessUntil: await accessUntil(decided, tokens, call),
      endedAuthorizationId: ended ?? '',
      endedEmail: ended === undefined ? '' : decided.email,
    };
  };
}

async function apply(
  { authorizations, grants }: DecideDeps,
  { userCode, fromPage, keepWaiting }: DecideAuthorizationRequest,
  { code, decision }: { code: ReadSecret; decision: Decision },
  call: Call,
): Promise<string | undefined> {
  const sent = { code, decision, userCode, fromPage, mailId: randomUUID(), traceparent: call.traceparent };
  const outcome = await authorizations.change(
    code.id,
    (authorization) => {
      const { change, ...result } = decide(authorization, sent, call.now);
      return { change, result };
    },
    call,
  );
  if (outcome === undefined) throw invalidCode();
  if (outcome.refusal !== undefined) throw outcome.refusal;
  if (!outcome.ends) return undefined;
  const act = { actor: actors.human, at: call.now, reason: '', withdrawWaiting: !keepWaiting };
  const line = await grants.revokeGrant(code.id, act, call.signal);
  return line?.revoked ? line.lineId : undefined;
}

// Only while the code lives: an old mail shows and ends, it opens no page.
function keyOf(authorization: Authorization, code: ReadSecret, now: Date): string {
  const kept = requireKnownCode(authorization, code);
  return kept.goodUntil > now ? accessKeyOf(authorization.id, code, kept) : '';
}

function fromWire(decision: WireDecision): Decision {
  if (decision === WireDecision.CONFIRM) return 'confirm';
  if (decision === WireDecision.DECLINE) return 'decline';
  throw new KnowledgeError('validation_error', 'decision must be confirm or decline.');
}
