import { randomBytes, randomUUID } from 'node:crypto';
import { type Attribution, KnowledgeError, later, newMail } from '@knowledge/runtime';
import { accessEnd, rules } from '@knowledge/runtime/product';
import { type Authorization, type AuthorizationChange, changeState, stateAt } from './authorization.js';
import { invalidCode } from './mailed-code.js';
import { deriveTokenSecret, hashOf, idOfRequest, randomTokenSecret, type SecretCode, sameHash } from './secret.js';
import { type NewToken, newToken, type Token } from './token.js';

/** The time for which an agent can fetch the same token again (gateway/PROTOCOL.md#token-exchange). */
const redeliveryMs = rules.tokenRedeliveryMinutes * 60_000;

/** The state of an authorization, for the response to an agent that sends its device code. */
type Exchange =
  | { kind: 'pending' }
  /** The human has confirmed, and the token must be issued now. */
  | { kind: 'confirmed' }
  /** The token was issued earlier and can be fetched again. */
  | { kind: 'issued'; secret: string; tokenId: string };

/**
 * Checks a device code and returns what the response must contain.
 *
 * @throws KnowledgeError `authorization_denied`, `invalid_or_expired_code`.
 */
export function readExchange(authorization: Authorization | undefined, deviceCode: SecretCode, now: Date): Exchange {
  if (!authorization?.deviceHashes.some((each) => sameHash(each, deviceCode.hash))) throw unknownDeviceCode();
  const { grant } = authorization;
  const state = stateAt(authorization, now);
  switch (state) {
    case 'pending':
    case 'confirmed':
      return { kind: state };
    case 'declined':
      throw new KnowledgeError(
        'authorization_denied',
        'The human declined the request; ask again only if they want you to.',
      );
    case 'issued':
      if (grant === null || grant.salt === null || grant.redeliverUntil <= now) throw invalidCode();
      return { kind: 'issued', secret: deriveTokenSecret(deviceCode.secret, grant.salt), tokenId: grant.tokenId };
    case 'revoked': {
      const what =
        authorization.decision === 'confirm'
          ? 'This access was ended after the yes'
          : 'This request was ended without a yes';
      throw new KnowledgeError(
        'invalid_or_expired_code',
        `${what}: given back, or ended by the human, by the operator, or with the token that it renews; ask again only if the human wants you to.`,
      );
    }
    case 'expired':
    case 'renewed':
    case 'erased':
      throw invalidCode();
  }
}

function unknownDeviceCode() {
  return new KnowledgeError(
    'invalid_or_expired_code',
    'No request has this device_code. If it is exactly the token_exchange.device_code that you got, ask for a new authorization. Else it was changed: send it as it came.',
  );
}

/**
 * Issues the token of a confirmed authorization. Returns undefined if it is not confirmed, or if a call with another
 * device code was faster.
 */
export function issue(
  authorization: Authorization,
  deviceCode: SecretCode,
  tokenId: string,
  act: Attribution,
): { change: AuthorizationChange; token: Token; secret: string } | undefined {
  const { id, rootAuthorizationId, email, agentName, scopes, deviceHashes, createdAt } = authorization;
  if (stateAt(authorization, act.at) !== 'confirmed' || !deviceHashes.includes(deviceCode.hash)) return undefined;
  const salt = randomBytes(32).toString('base64url');
  const secret = deriveTokenSecret(deviceCode.secret, salt);
  const hash = hashOf(secret);
  const of = { authorizationId: id, rootAuthorizationId, email, agentName, scopes };
  // The end that mail and page showed, however late the token is fetched.
  const token = newToken({ ...of, hash, id: tokenId, expiresAt: accessEnd(createdAt) }, act);
  const redeliverUntil = later(act.at, redeliveryMs);
  const change = changeState(authorization, 'issued', act, {
    grant: { tokenId, tokenHash: hash, salt, issuedAt: act.at, redeliverUntil },
    // Only this device code can fetch the token again.
    deviceHashes: [deviceCode.hash],
    timerAt: redeliverUntil,
    purgeAt: token.purgeAt,
  });
  return { change, token, secret };
}

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

/** @throws KnowledgeError `validation_error` if the key is not a UUID. */
export function directIssueId(requestKey: string): string {
  return idOfRequest(requestKey, namespace);
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
    const when = `more than ${rules.tokenRedeliveryMinutes} minutes ago`;
    throw usedBefore(`made its token ${when}, so the token is not shown again`, tokenId);
  }
  return deriveTokenSecret(requestKey, grant.salt);
}

function usedBefore(what: string, tokenId: string) {
  const message = `This request_key ${what}. If nobody has that token, revoke it. Send a fresh key for another token.`;
  return new KnowledgeError('idempotency_conflict', message, { metadata: { token_id: tokenId } });
}

function issuedBySupport(token: Token, salt: string | null, { actor, at, reason }: Attribution): Authorization {
  const { authorizationId, email, agentName, scopes } = token;
  const redeliverUntil = salt === null ? at : later(at, redeliveryMs);
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
