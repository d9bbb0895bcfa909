import type { Act, Site } from '@knowledge/runtime';
import type { Scope } from '@knowledge/runtime/product';
import type { Mail } from './mail.js';
import { keptAfterEndMs } from './token.js';
import type { Transition } from './transition.js';

/**
 * `pending → confirmed → issued`, `pending → declined`, `pending | confirmed → expired`, `confirmed | issued → revoked`,
 * `issued → renewed`, `pending → revoked` where not the human ended it; `erased` is what is left of any of them until the log knows it.
 */
export type AuthorizationState =
  | 'pending'
  | 'confirmed'
  | 'declined'
  | 'issued'
  | 'expired'
  | 'revoked'
  | 'renewed'
  | 'erased';

export type Decision = 'confirm' | 'decline';

/** Where the human must type the user code: nowhere, on the page, or whatever confirms. */
export type UserCodeRule = 'never' | 'page' | 'always';

/** The code of one mailed link (SECURITY.md#confirmation). */
export interface MailedCode {
  /** The mail that carries it, and which attempt at it. */
  mailId: string;
  attempt: number;
  hash: string;
  /** A link lives from when the mail server took its mail; until that is known, from when the attempt began. */
  goodUntil: Date;
  /** With the code itself it makes the human's own key, of which the hash is kept. */
  keySalt: string;
  keyHash: string;
}

/** The one token of a request. */
interface Grant {
  tokenId: string;
  tokenHash: string;
  /** With the device code it makes the token again; null once that must not be possible any more. */
  salt: string | null;
  issuedAt: Date;
  redeliverUntil: Date;
}

/** What a request carries on: an access that the same agent has already. */
interface Renewal {
  tokenId: string;
  /** The name that the agent had until now. */
  agentName: string;
}

/** An authorization request with everything that belongs to it, kept as one document (SECURITY.md#confirmation). */
export interface Authorization {
  id: string;
  /** The first of the authorizations that renew each other; contributions belong to it. */
  lineId: string;
  renews: Renewal | null;
  /** Case folded, plus-tag kept; never changes. */
  email: string;
  agentName: string;
  scopes: Scope[];
  purpose: string;
  site: Site;
  /** Whether an agent asked, or support made the token without asking. */
  origin: 'agent' | 'support';
  state: AuthorizationState;
  createdAt: Date;
  expiresAt: Date;
  decision: Decision | null;
  decidedAt: Date | null;
  /** Until when a confirmed request's token can be fetched. */
  pickUpUntil: Date | null;
  /** What the human compares; empty where it must be typed, of which only a hash is kept. */
  userCode: string;
  userCodeHash: string | null;
  userCodeRule: UserCodeRule;
  wrongUserCodes: number;
  /** Hashes of the device codes: more than one if the request was sent again because its answer was lost. */
  deviceHashes: string[];
  lastPolledAt: Date | null;
  codes: MailedCode[];
  /** Hashes of the human's own keys that went into mails. */
  accessKeyHashes: string[];
  grant: Grant | null;
  mails: Mail[];
  mailsDueAt: Date | null;
  /** When time itself changes something next: the request or its pick-up ends, or the salt is wiped. */
  timerAt: Date | null;
  history: Transition[];
  /** Grows with every change but those of mails, codes and polls. */
  revision: number;
  purgeAt: Date;
}

/** What a change does to a request besides its revision. */
export interface AuthorizationChange {
  set: Partial<Authorization>;
  transition?: Transition;
  /** A mail that the change needs sent. */
  mail?: Mail;
}

/** Its state with time taken into account: what is over is expired, whether or not that was written down. */
export function stateAt(authorization: Authorization, now: Date): AuthorizationState {
  const { state, expiresAt, pickUpUntil } = authorization;
  if (state === 'pending' && expiresAt <= now) return 'expired';
  if (state === 'confirmed' && pickUpUntil !== null && pickUpUntil <= now) return 'expired';
  return state;
}

/** The change to a state, with its transition. */
export function moved(
  authorization: Pick<Authorization, 'state' | 'revision'>,
  to: AuthorizationState,
  act: Act,
  set: Partial<Authorization>,
): AuthorizationChange {
  const { state: from, revision } = authorization;
  return { set: { ...set, state: to }, transition: { from, to, ...act, revision: revision + 1 } };
}

/** When what ended at a time is deleted (gateway/PROTOCOL.md#personal-data). */
export function purgeAfter(end: Date): Date {
  return new Date(end.getTime() + keptAfterEndMs);
}
