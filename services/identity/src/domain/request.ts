import { actors, KnowledgeError, later, newMail, type Site } from '@knowledge/runtime';
import { rules, type Scope } from '@knowledge/runtime/product';
import { type Authorization, purgeAfter, type UserCodeRule } from './authorization.js';
import { hashOf, idOfRequest, type NewSecretCode, newSecretCode, userCodeHash, userCodeOf } from './secret.js';
import type { Token } from './token.js';

/** The time for which an authorization waits for the human's decision (gateway/PROTOCOL.md#authorization). */
const requestLifeMs = rules.authorizationHours * 3_600_000;

/** The time for which a caller can repeat a request after a lost response. */
const repeatableMs = rules.idempotencyKeyHours * 3_600_000;

/** A request for an authorization with valid fields. */
export interface AccessRequest {
  /** A UUID that the caller makes for one intention; a repeat sends it again and gets the first result. */
  requestKey: string;
  email: string;
  agentName: string;
  scopes: Scope[];
  purpose: string;
  site: Site;
  /** The valid token of the caller, if the request is a renewal. */
  renewed?: Pick<Token, 'id' | 'rootAuthorizationId' | 'agentName'> | undefined;
}

/** @throws KnowledgeError `validation_error` if the key is not a UUID. */
export function authorizationIdOf(requestKey: string): string {
  return idOfRequest(requestKey, namespace);
}

/** Derives the device code, so that a repeat gets the same one. The request key is stored nowhere. */
export function deviceCodeOf(requestKey: string): NewSecretCode {
  return newSecretCode(authorizationIdOf(requestKey), hashOf(`device code ${requestKey}`));
}

const namespace = '6a1fd0a5-7c0e-5a53-9d5c-2f9c5d0f0d3e';

interface NewAuthorizationOptions {
  deviceHash: string;
  mailId: string;
  /** Where the human must type the user code. `page` applies only to requests with a scope to write. */
  userCodeRule: UserCodeRule;
  /** Whether a block prevents the mail. */
  blocked: boolean;
  /** The trace of the request. It is stored with the mail if the trace is recorded. */
  traceparent?: string | undefined;
}

/**
 * Makes a pending authorization with its confirmation mail. If the human must type the user code, only its hash is
 * stored.
 */
export function newAuthorization(
  request: AccessRequest,
  { deviceHash, mailId, userCodeRule: rule, blocked, traceparent }: NewAuthorizationOptions,
  at: Date,
): Authorization {
  const { requestKey, email, agentName, scopes, purpose, site, renewed } = request;
  const id = authorizationIdOf(requestKey);
  const userCode = userCodeOf(requestKey);
  const userCodeRule = rule === 'page' && scopes.length === 0 ? 'never' : rule;
  const typed = userCodeRule !== 'never';
  const expiresAt = later(at, requestLifeMs);
  return {
    id,
    rootAuthorizationId: renewed?.rootAuthorizationId ?? id,
    renews: renewed === undefined ? null : { tokenId: renewed.id, agentName: renewed.agentName },
    email,
    agentName,
    scopes,
    purpose,
    site,
    origin: 'agent',
    state: 'pending',
    createdAt: at,
    expiresAt,
    decision: null,
    decidedAt: null,
    pickUpUntil: null,
    userCode: typed ? '' : userCode,
    userCodeHash: typed ? userCodeHash(id, userCode) : null,
    userCodeRule,
    wrongUserCodes: 0,
    deviceHashes: [deviceHash],
    lastPolledAt: null,
    codes: [],
    grant: null,
    mails: blocked ? [] : [newMail(mailId, 'confirmation', at, traceparent)],
    mailsDueAt: blocked ? null : at,
    timerAt: expiresAt,
    history: [{ from: '', to: 'pending', actor: actors.agent, at, reason: '', revision: 1 }],
    revision: 1,
    purgeAt: purgeAfter(expiresAt),
  };
}

/**
 * Checks that a repeated request key belongs to the same request, within a day.
 *
 * @throws KnowledgeError `idempotency_conflict` if not.
 */
export function requireRepeat(made: Authorization, request: AccessRequest, now: Date): void {
  const same =
    made.email === request.email &&
    made.agentName === request.agentName &&
    made.purpose === request.purpose &&
    made.site === request.site &&
    made.renews?.tokenId === request.renewed?.id &&
    made.scopes.join() === request.scopes.join();
  if (same && now.getTime() - made.createdAt.getTime() <= repeatableMs) return;
  const hours = `${rules.idempotencyKeyHours} hours`;
  const before = same ? `over ${hours} ago` : `with another payload in the last ${hours}`;
  const message = `This Idempotency-Key was used ${before}; take a new key for a new request.`;
  throw new KnowledgeError('idempotency_conflict', message);
}
