import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Attribution } from '../transition.js';
import type { HandlerContext } from './context.js';

/** @throws KnowledgeError `validation_error` when the call names no actor. */
export function requireActor({ actor }: Pick<HandlerContext, 'actor'>): string {
  if (actor === undefined) {
    throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
  }
  return actor;
}

/**
 * The actor, time and reason of a change.
 *
 * @throws KnowledgeError `validation_error` when the call names no actor.
 */
export function requireAttribution(context: Pick<HandlerContext, 'actor' | 'now'>, reason = ''): Attribution {
  return { actor: requireActor(context), at: context.now, reason };
}

/** The actor, time and reason of a look at personal data. Without mutual TLS the call may name no actor. */
export function auditAttribution(
  { actor = 'unnamed', now }: Pick<HandlerContext, 'actor' | 'now'>,
  reason = '',
): Attribution {
  return { actor, at: now, reason };
}
