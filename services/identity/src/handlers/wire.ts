import type { AuthorizationRecord } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import {
  AuthorizationState,
  Decision,
  type Authorization as WireAuthorization,
  type Scope as WireScope,
  AuthorizationState as WireState,
  type Token as WireToken,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { type CallContext, isUuid, KnowledgeError } from '@knowledge/runtime';
import { toWireMail } from '@knowledge/runtime/mail';
import { scopes as allScopes, type Scope } from '@knowledge/runtime/product';
import type { WatchedLog } from '@knowledge/runtime/watch';
import { enumWords, requireScope, toWireScope, toWireSite } from '@knowledge/runtime/wire';
import type { MailLimits } from '../clients/quota.js';
import { type Authorization, stateAt, tokenEndedBy, type UserCodeRule } from '../domain/authorization.js';
import { maskEmail } from '../domain/text.js';
import { invalidToken, isValid, type Token } from '../domain/token.js';
import type { ErasureStore } from '../erasures/store.js';
import type { MailDomainStore } from '../mail-domains/store.js';
import type { LogEntry, Stores } from '../store/open-stores.js';
import type { Requester } from '../store/people.js';
import type { TokenUses } from '../workers/housekeeping.js';

/** What the handlers of this service work with. */
export interface IdentityParts extends Stores {
  erasures: ErasureStore;
  mailDomains: MailDomainStore;
  limits: MailLimits;
  uses: TokenUses;
  follower: WatchedLog<LogEntry>;
  userCodeRule: UserCodeRule;
  /** The name of the operator. No agent may use it. */
  operatorName: string;
  /** The facts about the confirmation mail that the response to a request contains. */
  mail: { from: string; linkMinutes: number };
  wakeOutbox: () => void;
}

/** @throws KnowledgeError `invalid_token` if there is no such token, or it has ended. */
export async function requireToken({ tokens }: IdentityParts, id: string, call: CallContext): Promise<Token> {
  const token = isUuid(id) ? await tokens.find(id, call) : undefined;
  if (token === undefined || !isValid(token, call.now)) throw invalidToken(token);
  return token;
}

export function changedMeanwhile(): KnowledgeError {
  return new KnowledgeError('unavailable', 'Another call changed this at the same time; try again.', {
    retryAfterSeconds: 1,
  });
}

/** Converts an authorization for its human and its agent. */
export function toWireAuthorization(authorization: Authorization, now: Date): WireAuthorization {
  const { id, agentName, purpose, userCode, createdAt, expiresAt } = authorization;
  const state = stateAt(authorization, now);
  return {
    id,
    agentName,
    purpose,
    userCode,
    createdAt,
    expiresAt,
    // The transition log shows that a document was erased; this message never does.
    state: state === 'erased' ? WireState.UNSPECIFIED : stateWords.toWire(state),
    maskedEmail: authorization.email === '' ? '' : maskEmail(authorization.email),
    scopes: toWireScopes(authorization.scopes),
    site: toWireSite(authorization.site),
    decidedAt: authorization.decidedAt ?? undefined,
    renewedAgentName: authorization.renews?.agentName ?? '',
  };
}

/** Converts an authorization for support. The history is left out. */
export function toWireRecord(authorization: Authorization, now: Date, requester?: Requester): AuthorizationRecord {
  return {
    authorization: toWireAuthorization(authorization, now),
    email: authorization.email,
    tokenId: authorization.grant?.tokenId ?? '',
    mails: authorization.mails.map(toWireMail),
    history: [],
    clientAddress: requester?.address ?? '',
    clientId: requester?.clientId ?? '',
  };
}

/** Converts a token for its agent, its human and support. */
export function toWireToken(token: Token): WireToken {
  const { id, agentName, email, createdAt, expiresAt, lastUsedAt, revokedAt, rootAuthorizationId } = token;
  return {
    id,
    agentName,
    email,
    createdAt,
    expiresAt,
    authorizationId: rootAuthorizationId,
    scopes: toWireScopes(token.scopes),
    lastUsedAt: lastUsedAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
    endedBy: tokenEndedBy(token),
  };
}

const stateWords = enumWords('state', AuthorizationState);
export const optionalState = stateWords.optional;
export const { require: requireDecision } = enumWords('decision', Decision);

/** Converts scopes, and keeps their order. */
export function toWireScopes(scopes: readonly Scope[]): WireScope[] {
  return scopes.map((scope) => toWireScope(scope));
}

/**
 * Reads scopes. Removes duplicates and sorts them in the order of the product's list.
 *
 * @throws KnowledgeError `validation_error` for an unknown scope.
 */
export function requireScopes(scopes: readonly WireScope[]): Scope[] {
  const named = scopes.map(requireScope);
  return allScopes.filter((scope) => named.includes(scope));
}
