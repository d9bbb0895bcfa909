import type { Authorization } from './authorization.js';
import { newMail } from './mail.js';
import type { Token } from './token.js';
import type { Act } from './transition.js';

/** The record of a token that support made without asking; its human is told by mail. */
export function issuedBySupport(token: Token, mailId: string, { actor, at, reason }: Act): Authorization {
  const { authorizationId, email, agentName, scopes } = token;
  return {
    id: authorizationId,
    lineId: token.lineId,
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
    accessKeyHashes: [],
    grant: { tokenId: token.id, tokenHash: token.hash, salt: null, issuedAt: at, redeliverUntil: at },
    mails: [newMail(mailId, 'issued', at)],
    mailsDueAt: at,
    timerAt: null,
    history: [{ from: '', to: 'issued', actor, at, reason, revision: 1 }],
    revision: 1,
    purgeAt: token.purgeAt,
  };
}
