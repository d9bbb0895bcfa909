import { randomBytes } from 'node:crypto';
import type { Act } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import { type Authorization, type AuthorizationChange, moved, stateAt } from './authorization.js';
import { invalidCode } from './mailed-code.js';
import { hashOf, type ReadSecret, sameHash } from './secret.js';
import { newToken, type Token } from './token.js';
import { deriveTokenSecret } from './token-secret.js';

/** How long a token is given again after its first delivery (gateway/PROTOCOL.md#token-exchange). */
export const redeliveryMs = rules.tokenRedeliveryMinutes * 60_000;

/** What the holder of a device code gets. */
export type Exchange =
  | { kind: 'pending' }
  /** The token is to be made. */
  | { kind: 'confirmed' }
  /** It was made before, and is given again. */
  | { kind: 'issued'; secret: string; tokenId: string };

/**
 * Where a device code leads.
 *
 * @throws KnowledgeError `authorization_denied`, `invalid_or_expired_code`.
 */
export function readExchange(authorization: Authorization | undefined, device: ReadSecret, now: Date): Exchange {
  if (!authorization?.deviceHashes.some((each) => sameHash(each, device.hash))) throw invalidCode();
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
      return { kind: 'issued', secret: deriveTokenSecret(device.secret, grant.salt), tokenId: grant.tokenId };
    case 'expired':
    case 'revoked':
    case 'renewed':
    case 'erased':
      throw invalidCode();
  }
}

/** The one token of a confirmed request, and the change that makes it so; undefined if it is not confirmed. */
export function issue(
  authorization: Authorization,
  device: ReadSecret,
  tokenId: string,
  act: Act,
): { change: AuthorizationChange; token: Token; secret: string } | undefined {
  const { id, lineId, email, agentName, scopes, deviceHashes } = authorization;
  if (stateAt(authorization, act.at) !== 'confirmed' || !deviceHashes.includes(device.hash)) return undefined;
  const salt = randomBytes(32).toString('base64url');
  const secret = deriveTokenSecret(device.secret, salt);
  const hash = hashOf(secret);
  const token = newToken({ hash, id: tokenId, authorizationId: id, lineId, email, agentName, scopes }, act);
  const redeliverUntil = new Date(act.at.getTime() + redeliveryMs);
  const change = moved(authorization, 'issued', act, {
    grant: { tokenId, tokenHash: hash, salt, issuedAt: act.at, redeliverUntil },
    // From now on the token can be made from this device code alone.
    deviceHashes: [device.hash],
    timerAt: redeliverUntil,
    purgeAt: token.purgeAt,
  });
  return { change, token, secret };
}
