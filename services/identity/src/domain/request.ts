import type { Site } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { rules, type Scope } from '@knowledge/runtime/product';
import { v5 } from 'uuid';
import { type Authorization, purgeAfter, type UserCodeRule } from './authorization.js';
import { isId } from './id.js';
import { newMail } from './mail.js';
import type { Token } from './token.js';
import { actors } from './transition.js';
import { userCodeHash, userCodeOf } from './user-code.js';

/** How long an authorization waits for its human (gateway/PROTOCOL.md#authorization). */
const requestLifeMs = rules.authorizationHours * 3_600_000;

/** In this time a request whose answer was lost can be sent again. */
const repeatableMs = 60_000;

/** What an agent asks for, as it was read. */
export interface AccessRequest {
  /** A fresh UUID of the caller's. */
  requestKey: string;
  email: string;
  agentName: string;
  scopes: Scope[];
  purpose: string;
  site: Site;
  /** The caller's present token, which the request carries on. */
  renewed?: Pick<Token, 'id' | 'lineId' | 'agentName'> | undefined;
}

/**
 * The id of the request with this key, so that the same key can never make two.
 *
 * @throws KnowledgeError `validation_error` unless the key is a UUID.
 */
export function authorizationIdOf(requestKey: string): string {
  if (!isId(requestKey)) throw new KnowledgeError('validation_error', 'request_key must be a UUID in lower case.');
  return v5(requestKey, namespace);
}

const namespace = '6a1fd0a5-7c0e-5a53-9d5c-2f9c5d0f0d3e';

/** What is made for a new request. */
interface RequestParts {
  deviceHash: string;
  mailId: string;
  /** Where the human must type the user code; on the page only where something may be written. */
  userCodeRule: UserCodeRule;
  /** Whether the human wants to hear of no requests; then it is never mailed. */
  blocked: boolean;
  /** The trace that the mail belongs to, if that is recorded. */
  traceparent?: string | undefined;
}

/** A new request, with the mail that asks the human; of a code that must be typed only the hash is kept. */
export function newAuthorization(
  request: AccessRequest,
  { deviceHash, mailId, userCodeRule: rule, blocked, traceparent }: RequestParts,
  at: Date,
): Authorization {
  const { requestKey, email, agentName, scopes, purpose, site, renewed } = request;
  const id = authorizationIdOf(requestKey);
  const userCode = userCodeOf(requestKey);
  const userCodeRule = rule === 'page' && scopes.length === 0 ? 'never' : rule;
  const typed = userCodeRule !== 'never';
  const expiresAt = new Date(at.getTime() + requestLifeMs);
  return {
    id,
    lineId: renewed?.lineId ?? id,
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
    accessKeyHashes: [],
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
 * Checks that a key which came again brings the same request, soon enough to be a repeat.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function requireRepeat(made: Authorization, request: AccessRequest, now: Date): void {
  const same =
    made.email === request.email &&
    made.agentName === request.agentName &&
    made.purpose === request.purpose &&
    made.site === request.site &&
    made.renews?.tokenId === request.renewed?.id &&
    made.scopes.join() === request.scopes.join();
  if (!same || now.getTime() - made.createdAt.getTime() > repeatableMs) {
    throw new KnowledgeError('validation_error', 'request_key was used before; every request needs a fresh one.');
  }
}
