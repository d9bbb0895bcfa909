import { randomBytes } from 'node:crypto';
import { type Attribution, KnowledgeError } from '@knowledge/runtime';
import { accessEnd, rules } from '@knowledge/runtime/product';
import { type Authorization, type AuthorizationChange, changeState, stateAt } from './authorization.js';
import { invalidCode } from './mailed-code.js';
import { deriveTokenSecret, hashOf, type SecretCode, sameHash } from './secret.js';
import { newToken, type Token } from './token.js';

/** The time for which an agent can fetch the same token again (gateway/PROTOCOL.md#token-exchange). */
export const redeliveryMs = rules.tokenRedeliveryMinutes * 60_000;

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
    case 'revoked':
      throw new KnowledgeError(
        'invalid_or_expired_code',
        'This access was ended after the yes, by the human or the operator; ask again only if the human wants you to.',
      );
    case 'expired':
    case 'renewed':
    case 'erased':
      throw invalidCode();
  }
}

function unknownDeviceCode(): KnowledgeError {
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
  const redeliverUntil = new Date(act.at.getTime() + redeliveryMs);
  const change = changeState(authorization, 'issued', act, {
    grant: { tokenId, tokenHash: hash, salt, issuedAt: act.at, redeliverUntil },
    // Only this device code can fetch the token again.
    deviceHashes: [deviceCode.hash],
    timerAt: redeliverUntil,
    purgeAt: token.purgeAt,
  });
  return { change, token, secret };
}
