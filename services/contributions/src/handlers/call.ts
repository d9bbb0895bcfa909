import { KnowledgeError } from '@knowledge/runtime';
import type { HandlerContext } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { Call } from '../domain/call.js';
import { foldEmail } from '../domain/email.js';
import { refuseFaults, textFault } from '../domain/text.js';
import type { Owner } from '../store/contributions.js';

/** What the domain and the stores need of a call's context. */
export function callOf({ signal, deadline, requestId, traceparent }: HandlerContext, clock: Clock): Call {
  return { signal, deadline, requestId, traceparent, now: clock() };
}

/** @throws KnowledgeError `validation_error` when a change does not say who makes it. */
export function requireActor({ actor }: HandlerContext): string {
  if (actor === undefined) {
    throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
  }
  return actor;
}

/** Whose contributions a call may touch: those of one authorization, or without one all of its human's. */
export function ownerOf({ email, authorizationId }: { email: string; authorizationId: string }): Owner {
  return { email: requireEmail(email), authorizationId: authorizationId === '' ? undefined : authorizationId };
}

/** @throws KnowledgeError `validation_error` for a call that does not say whose it is. */
export function requireEmail(email: string): string {
  if (email === '') throw new KnowledgeError('validation_error', 'email is required.');
  return foldEmail(email);
}

/** Who looks at a person's data, when and why; without mutual TLS a caller may be unnamed. */
export function lookOf(
  { actor = 'unnamed' }: HandlerContext,
  clock: Clock,
  reason = '',
): { actor: string; at: Date; reason: string } {
  refuseFaults([textFault('reason', reason, { min: 0, max: 2000 })]);
  return { actor, at: clock(), reason };
}
