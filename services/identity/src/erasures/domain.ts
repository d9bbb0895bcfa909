import { type Attribution, KnowledgeError, later } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import { keptAfterEndMs } from '../domain/token.js';

/** A request to erase a person, which needs two staff members (SECURITY.md#erasing-a-person). */
export interface Erasure {
  id: string;
  state: (typeof erasureStates)[number];
  /** The address of the person; empty when the request has ended. */
  email: string;
  /** The hash of the address, as the log of transitions has it. */
  person: string;
  withWork: boolean;
  /** May contain a name, so it is empty when the request has ended. */
  reason: string;
  askedBy: string;
  askedAt: Date;
  lapsesAt: Date;
  decidedBy: string;
  decidedAt: Date | null;
  /** Whether identity has erased its part. Contributions comes after it, when no token of the person works any more. */
  erasedHere: boolean;
  /** When the request is deleted; null while a confirmed one is not finished. */
  purgeAt: Date | null;
}

export const erasureStates = ['waiting', 'confirmed', 'done', 'cancelled'] as const;

/** A change of a request; undefined if it is so already. */
export type ErasureChange = Partial<Erasure> | undefined;

type NewErasure = Pick<Erasure, 'id' | 'email' | 'person' | 'withWork'>;

export function newErasure(facts: NewErasure, { actor, at, reason }: Attribution): Erasure {
  const lapsesAt = later(at, rules.erasureDays * 86_400_000);
  return {
    ...facts,
    state: 'waiting',
    reason,
    askedBy: actor,
    askedAt: at,
    lapsesAt,
    decidedBy: '',
    decidedAt: null,
    erasedHere: false,
    purgeAt: lapsesAt,
  };
}

/** @throws KnowledgeError `invalid_state` if it was cancelled, or if the same person asked for it. */
export function confirm(erasure: Erasure, { actor, at }: Attribution): ErasureChange {
  if (erasure.state === 'cancelled') throw wrongState(`${erasure.decidedBy} cancelled this request.`);
  if (erasure.state !== 'waiting') return undefined;
  if (isSameStaffMember(erasure.askedBy, actor)) {
    throw wrongState('You asked for this erasure, so another staff member must confirm it.');
  }
  return { state: 'confirmed', decidedBy: actor, decidedAt: at, purgeAt: null };
}

/** @throws KnowledgeError `invalid_state` if it was confirmed. */
export function cancel(erasure: Erasure, { actor, at }: Attribution): ErasureChange {
  if (erasure.state === 'cancelled') return undefined;
  if (erasure.state !== 'waiting') throw wrongState(`${erasure.decidedBy} confirmed this request.`);
  return { ...ended(at), state: 'cancelled', decidedBy: actor, decidedAt: at };
}

/** Ends a request after both services have erased the person. */
export function finish(erasure: Erasure, at: Date): ErasureChange {
  requireErasedHere(erasure);
  return erasure.state === 'done' ? undefined : { ...ended(at), state: 'done' };
}

/** @throws KnowledgeError `invalid_state` unless a second person confirmed it. */
export function requireConfirmed({ state }: Erasure): void {
  if (state !== 'confirmed' && state !== 'done') throw wrongState(`This erasure is ${state}, not confirmed.`);
}

/** @throws KnowledgeError `invalid_state` before identity has erased its part. */
export function requireErasedHere(erasure: Erasure): void {
  requireConfirmed(erasure);
  if (!erasure.erasedHere) throw wrongState('Identity erases the person first, so call ErasePerson before this.');
}

/**
 * Whether two actors are the same person. The name of a certificate and the prefix of the command line say how somebody
 * works, not who.
 */
export function isSameStaffMember(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

function nameOf(actor: string) {
  return actor
    .replace(/ via [^ ]+$/, '')
    .replace(/^desk:/i, '')
    .trim()
    .toLowerCase();
}

function ended(at: Date): Partial<Erasure> {
  return { email: '', reason: '', purgeAt: later(at, keptAfterEndMs) };
}

function wrongState(message: string) {
  return new KnowledgeError('invalid_state', message);
}
