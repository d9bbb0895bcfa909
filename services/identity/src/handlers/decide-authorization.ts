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
import { accessKeyOf, invalidCode, requireLiveCode } from '../domain/mailed-code.js';
import { type ReadSecret, readSecret } from '../domain/secret.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { callOf } from './call.js';
import { presentAuthorization } from './present-authorization.js';

/** Decides a request by its mailed code; the mail with the human's own link is recorded in the same write. */
export function handleDecideAuthorization(
  authorizations: AuthorizationStore,
  wakeOutbox: () => void,
  clock: Clock,
): UnaryHandler<DecideAuthorizationRequest, DecideAuthorizationResponse> {
  return async (request, context) => {
    const decision = fromWire(request.decision);
    const code = readSecret(request.code);
    if (code === undefined) throw invalidCode();
    const call = callOf(context, clock);
    const sent = { code, decision, userCode: request.userCode, mailId: randomUUID(), traceparent: call.traceparent };
    const refusal = await authorizations.change(
      code.id,
      (authorization) => {
        const { change, refusal: result } = decide(authorization, sent, call.now);
        return { change, result };
      },
      call,
    );
    if (refusal !== undefined) throw refusal;
    const decided = await authorizations.find(code.id, call);
    if (decided === undefined) throw invalidCode();
    if (decision === 'confirm') wakeOutbox();
    return {
      authorization: presentAuthorization(decided, call.now),
      accessKey: decision === 'confirm' ? keyOf(decided, code, call.now) : '',
    };
  };
}

function keyOf(authorization: Authorization, code: ReadSecret, now: Date): string {
  return accessKeyOf(authorization.id, code, requireLiveCode(authorization, code, now));
}

function fromWire(decision: WireDecision): Decision {
  if (decision === WireDecision.CONFIRM) return 'confirm';
  if (decision === WireDecision.DECLINE) return 'decline';
  throw new KnowledgeError('validation_error', 'decision must be confirm or decline.');
}
