import { randomUUID } from 'node:crypto';
import type {
  DecideAuthorizationRequest,
  IdentityServiceService,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { actors, type CallContext, mailboxOf, newMail } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { accessEnd } from '@knowledge/runtime/product';
import { v5 } from 'uuid';
import { type Authorization, type Decision, endedBy, endTransitionOf, stateAt } from '../domain/authorization.js';
import { decide } from '../domain/decide.js';
import { accessKeyOf, invalidCode, requireExpiredCode, requireKnownCode } from '../domain/mailed-code.js';
import { optionalSecretCode, type SecretCode } from '../domain/secret.js';
import { maskEmail } from '../domain/text.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { renewedUntil, type TokenStore } from '../store/tokens.js';
import { type IdentityParts, requireDecision, toWireAuthorization } from './wire.js';

export function confirmationHandlers(
  parts: IdentityParts,
): Pick<Handlers<IdentityServiceService>, 'getConfirmation' | 'decideAuthorization' | 'resendConfirmation'> {
  const { authorizations, tokens, limits, wakeOutbox } = parts;
  return {
    /** Shows the authorization of a confirmation code. It writes nothing, because mail scanners open links too. */
    async getConfirmation({ code }, call) {
      const { authorization, live } = await lookUp(parts.authorizations, code, call);
      const pending = stateAt(authorization, call.now) === 'pending';
      const [until, { own }, newer, renewed] = await Promise.all([
        accessUntil(authorization, parts.tokens, call),
        parts.blocks.find(mailboxOf(authorization.email), call),
        newerOf(authorization, parts.authorizations, call),
        renewedUntil(authorization, parts.tokens, call),
      ]);
      return {
        authorization: toWireAuthorization(authorization, call.now),
        userCodeRequired: authorization.userCodeHash !== null,
        email: live ? authorization.email : maskEmail(authorization.email),
        canDecide: pending && live,
        canResend: pending && !live,
        accessUntil: until,
        ...endFields(newer ?? authorization, until, call.now),
        requestsRefused: own !== undefined,
        newerAgentName: newer?.agentName ?? '',
        renewedUntil: renewed,
      };
    },

    /**
     * Applies a decision with a confirmation code. A confirmation also stores the mail with the access link, in the same
     * write.
     */
    async decideAuthorization(request, call) {
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
    },

    /**
     * Stores another confirmation mail after the code has expired, within the limits. If a confirmation mail still waits to
     * be sent, it stores none.
     */
    async resendConfirmation({ code, clientAddress }, call) {
      const read = optionalSecretCode(code);
      if (read === undefined) throw invalidCode();
      const found = await authorizations.find(read.id, call);
      requireExpiredCode(found, read, call.now);
      if (found === undefined) throw invalidCode();
      const mailId = v5(`${read.hash} ${call.requestId}`, namespace);
      if (hasMail(found, mailId)) return { maskedEmail: maskEmail(found.email) };
      const unit = { kind: 'authorization' as const, id: mailId, email: found.email, address: clientAddress };
      await limits.take(unit, call);
      const mail = newMail(mailId, 'confirmation', call.now, call.traceparent);
      await authorizations.change(
        read.id,
        (authorization) => {
          requireExpiredCode(authorization, read, call.now);
          return hasMail(authorization, mailId)
            ? { result: undefined }
            : { change: { set: {}, mail }, result: undefined };
        },
        call,
      );
      limits.keep(unit);
      wakeOutbox();
      return { maskedEmail: maskEmail(found.email) };
    },
  };
}

/**
 * Finds the authorization of a confirmation code, even if the code has expired.
 *
 * @throws KnowledgeError `invalid_or_expired_code`.
 */
export async function authorizationOfCode(
  authorizations: AuthorizationStore,
  code: string,
  call: CallContext,
): Promise<Authorization> {
  return (await lookUp(authorizations, code, call)).authorization;
}

/**
 * The time when the agent's access ends; undefined without access. After renewals it is the expiry of
 * the newest token.
 */
async function accessUntil(
  { state, email, rootAuthorizationId, createdAt, pickUpUntil }: Authorization,
  tokens: TokenStore,
  call: CallContext,
) {
  if (state === 'issued' || state === 'renewed')
    return (await tokens.validOf({ email, rootAuthorizationId }, call))?.expiresAt;
  if (state !== 'confirmed' || pickUpUntil === null || pickUpUntil <= call.now) return undefined;
  return accessEnd(createdAt);
}

/** The authorization of the renewal chain that got its token last; undefined if that is the given one. */
async function newerOf(
  { id, state, email, rootAuthorizationId }: Authorization,
  authorizations: AuthorizationStore,
  call: CallContext,
) {
  if (state !== 'issued' && state !== 'renewed') return undefined;
  const latest = await authorizations.latestGrant({ email, rootAuthorizationId }, call);
  return latest?.id === id ? undefined : latest;
}

async function lookUp(authorizations: AuthorizationStore, code: string, call: CallContext) {
  const read = optionalSecretCode(code);
  const authorization = read && (await authorizations.find(read.id, call));
  if (read === undefined || authorization === undefined) throw invalidCode();
  const { goodUntil } = requireKnownCode(authorization, read);
  return { authorization, live: goodUntil > call.now };
}

function endFields(authorization: Authorization, until: Date | undefined, now: Date) {
  const end = endTransitionOf(authorization);
  if (end !== undefined) {
    const by = endedBy(end.actor);
    return { endedAt: end.at, endedBy: by, endReason: by === 'support' ? '' : end.reason };
  }
  const lapsed = lapsedAt(authorization, until, now);
  return { endedAt: lapsed, endedBy: lapsed === undefined ? '' : 'system', endReason: '' };
}

// The time when an authorization or token expired, if housekeeping has not stored that yet.
function lapsedAt(authorization: Authorization, until: Date | undefined, now: Date) {
  const { state, createdAt, expiresAt, pickUpUntil } = authorization;
  if (stateAt(authorization, now) === 'expired') return (state === 'confirmed' ? pickUpUntil : expiresAt) ?? expiresAt;
  return state === 'issued' && until === undefined ? accessEnd(createdAt) : undefined;
}

async function changeAuthorization(
  { authorizations, grants }: IdentityParts,
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

function keyOf(authorization: Authorization, code: SecretCode) {
  return accessKeyOf(authorization.id, code, requireKnownCode(authorization, code));
}

// A mail id is derived from the old confirmation code, so a repeated request sends no second mail.
const namespace = '3c1a9d8e-0f5d-5b7a-9b66-0d9f1f6a4c21';

function hasMail({ mails }: Authorization, mailId: string) {
  return mails.some(({ id, purpose, state }) => id === mailId || (purpose === 'confirmation' && state === 'pending'));
}
