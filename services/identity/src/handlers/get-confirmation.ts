import type { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { type CallContext, mailboxOf } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { accessEnd } from '@knowledge/runtime/product';
import { type Authorization, stateAt } from '../domain/authorization.js';
import { maskEmail } from '../domain/email.js';
import { endedBy, endTransitionOf } from '../domain/end.js';
import { invalidCode, requireKnownCode } from '../domain/mailed-code.js';
import { optionalSecretCode } from '../domain/secret.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import { renewedUntil } from '../store/renewed-until.js';
import type { TokenStore } from '../store/tokens.js';
import { toWireAuthorization } from './wire-authorization.js';

export interface ConfirmationParts {
  authorizations: AuthorizationStore;
  tokens: TokenStore;
  blocks: BlockStore;
}

/** Shows the authorization of a confirmation code. It writes nothing, because mail scanners open links too. */
export function getConfirmation(parts: ConfirmationParts): Handlers<IdentityServiceService>['getConfirmation'] {
  return async ({ code }, call) => {
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
export async function accessUntil(
  { state, email, rootAuthorizationId, createdAt, pickUpUntil }: Authorization,
  tokens: TokenStore,
  call: CallContext,
): Promise<Date | undefined> {
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
): Promise<Authorization | undefined> {
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
function lapsedAt(authorization: Authorization, until: Date | undefined, now: Date): Date | undefined {
  const { state, createdAt, expiresAt, pickUpUntil } = authorization;
  if (stateAt(authorization, now) === 'expired') return (state === 'confirmed' ? pickUpUntil : expiresAt) ?? expiresAt;
  return state === 'issued' && until === undefined ? accessEnd(createdAt) : undefined;
}
