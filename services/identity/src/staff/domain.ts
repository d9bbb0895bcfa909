import { randomUUID } from 'node:crypto';
import { type Attribution, hiddenFault, isSingleAddress, later, refuse } from '@knowledge/runtime';
import type { Role } from '@knowledge/runtime/product';
import type { Transition } from '../domain/token.js';

/** The facts about a staff member, as the provider or the maker of a sign-in code stated them. */
export interface StaffFacts {
  /** The actor of what the staff member changes. */
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly roles: readonly Role[];
}

export interface StaffSession extends StaffFacts {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastSeenAt: Date;
  readonly endedAt: Date | null;
  readonly history: readonly Transition[];
  readonly purgeAt: Date;
}

const hourMs = 3_600_000;
const sessionMs = 8 * hourMs;
const keptAfterMs = 30 * 24 * hourMs;

/** How long a sign-in code works, in milliseconds. */
export const codeMs = 10 * 60_000;

/** How long the name of a staff member is kept after the last sign-in, in milliseconds. */
export const memberKeptMs = 400 * 24 * hourMs;

export function newSession(facts: StaffFacts, now: Date, reason: string): StaffSession {
  const expiresAt = later(now, sessionMs);
  return {
    ...facts,
    id: randomUUID(),
    createdAt: now,
    expiresAt,
    lastSeenAt: now,
    endedAt: null,
    history: [{ from: '', to: 'open', actor: facts.name, at: now, reason, revision: 1 }],
    purgeAt: later(expiresAt, keptAfterMs),
  };
}

/** The transition that ends a session before its time. */
export function endOf(to: 'signed_out' | 'ended', act: Attribution): Transition {
  return { from: 'open', to, actor: act.actor, at: act.at, reason: act.reason, revision: 2 };
}

/**
 * Checks the facts about a staff member. A name must not hide characters, since it is stored as the actor.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function requireStaffFacts({ name, displayName, email, roles }: StaffFacts): StaffFacts {
  if (name === '') refuse('name must be 1 to 200 visible characters');
  requireVisible('name', name);
  requireVisible('display_name', displayName);
  if (email !== '' && !isSingleAddress(email))
    refuse('email must be one plain address like jane@example.org, or empty');
  if (roles.length === 0) refuse('roles must have at least one role');
  return { name, displayName, email: email.toLowerCase(), roles: [...new Set(roles)] };
}

/** @throws KnowledgeError `validation_error` for what is no SHA-256 in base64url. */
export function requireHash(field: string, hash: string): string {
  if (!/^[A-Za-z0-9_-]{43}$/.test(hash)) refuse(`${field} must be a SHA-256 hash in base64url`);
  return hash;
}

// The same characters as in the metadata `x-actor`, in which the name travels.
function requireVisible(field: string, text: string) {
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{0,200}$/u.test(text) || (text !== '' && text.trim() === '')) {
    refuse(`${field} must be at most 200 visible characters`);
  }
  const hidden = hiddenFault(text);
  if (hidden !== undefined) refuse(`${field} ${hidden}`);
}
