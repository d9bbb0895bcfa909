import { randomBytes, randomUUID } from 'node:crypto';
import { type Attribution, KnowledgeError, newMail } from '@knowledge/runtime';
import { accessEnd } from '@knowledge/runtime/product';
import { v5 } from 'uuid';
import { type Authorization, stateAt } from './authorization.js';
import { redeliveryMs } from './exchange.js';
import { deriveTokenSecret, hashOf, isId, randomTokenSecret } from './secret.js';
import { type NewToken, newToken, type Token } from './token.js';

/** The fields of a token that support issues without a confirmation. */
export interface DirectIssue extends Pick<NewToken, 'email' | 'agentName' | 'scopes'> {
  /** A new UUID from the caller. If undefined, the call cannot be repeated. */
  requestKey: string | undefined;
}

/** A token that support issued, and the authorization that stores its history and the mail to the human. */
interface DirectlyIssued {
  secret: string;
  token: Token;
  authorization: Authorization;
}

/**
 * Derives the id of the authorization from the request key, so that one key never issues two tokens.
 *
 * @throws KnowledgeError `validation_error` if the key is not a UUID.
 */
export function directIssueId(requestKey: string): string {
  if (!isId(requestKey)) throw new KnowledgeError('validation_error', 'request_key must be a UUID in lower case.');
  return v5(requestKey, namespace);
}

const namespace = '1d3f0a52-55b1-5c1e-8a0b-6a0c7f5be2a9';

/**
 * Issues a token without a confirmation. With a request key, the same secret can be derived again until the salt is
 * removed.
 */
export function issueDirectly({ requestKey, ...request }: DirectIssue, act: Attribution): DirectlyIssued {
  const id = requestKey === undefined ? randomUUID() : directIssueId(requestKey);
  const salt = requestKey === undefined ? null : randomBytes(32).toString('base64url');
  const secret = requestKey === undefined || salt === null ? randomTokenSecret() : deriveTokenSecret(requestKey, salt);
  const token = newToken(
    {
      hash: hashOf(secret),
      id: randomUUID(),
      authorizationId: id,
      rootAuthorizationId: id,
      ...request,
      expiresAt: accessEnd(act.at),
    },
    act,
  );
  return { secret, token, authorization: issuedBySupport(token, salt, act) };
}

/**
 * Derives the secret of an earlier token again, from the request key that issued it.
 *
 * @throws KnowledgeError `idempotency_conflict` if the request differs, or the token has ended or is more than ten
 * minutes old.
 */
export function repeatedSecret(
  made: Authorization,
  { requestKey = '', ...request }: DirectIssue,
  act: Attribution,
): string {
  const { grant, email, agentName, scopes, history } = made;
  const tokenId = grant?.tokenId ?? '';
  const same =
    email === request.email &&
    agentName === request.agentName &&
    scopes.join() === request.scopes.join() &&
    history[0]?.actor === act.actor;
  if (!same) throw usedBefore('made another token', tokenId);
  if (stateAt(made, act.at) !== 'issued') throw usedBefore('made a token that has ended', tokenId);
  if (grant?.salt == null || grant.redeliverUntil <= act.at) {
    throw usedBefore('made its token more than ten minutes ago, so the token is not shown again', tokenId);
  }
  return deriveTokenSecret(requestKey, grant.salt);
}

function usedBefore(what: string, tokenId: string): KnowledgeError {
  const message = `This request_key ${what}. If nobody has that token, revoke it. Send a fresh key for another token.`;
  return new KnowledgeError('idempotency_conflict', message, { metadata: { token_id: tokenId } });
}

function issuedBySupport(token: Token, salt: string | null, { actor, at, reason }: Attribution): Authorization {
  const { authorizationId, email, agentName, scopes } = token;
  const redeliverUntil = salt === null ? at : new Date(at.getTime() + redeliveryMs);
  return {
    id: authorizationId,
    rootAuthorizationId: token.rootAuthorizationId,
    renews: null,
    email,
    agentName,
    scopes,
    purpose: '',
    site: 'org',
    origin: 'support',
    state: 'issued',
    createdAt: at,
    expiresAt: at,
    decision: null,
    decidedAt: null,
    pickUpUntil: null,
    userCode: '',
    userCodeHash: null,
    userCodeRule: 'never',
    wrongUserCodes: 0,
    deviceHashes: [],
    lastPolledAt: null,
    codes: [],
    grant: { tokenId: token.id, tokenHash: token.hash, salt, issuedAt: at, redeliverUntil },
    mails: [newMail(randomUUID(), 'issued', at)],
    mailsDueAt: at,
    timerAt: salt === null ? null : redeliverUntil,
    history: [{ from: '', to: 'issued', actor, at, reason, revision: 1 }],
    revision: 1,
    purgeAt: token.purgeAt,
  };
}
