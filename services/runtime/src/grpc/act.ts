import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Act } from '../transition.js';
import type { HandlerContext } from './context.js';

/** @throws KnowledgeError `validation_error` when a change does not say who makes it. */
export function requireActor({ actor }: Pick<HandlerContext, 'actor'>): string {
  if (actor === undefined) {
    throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
  }
  return actor;
}

/**
 * Who makes the change that a call asks for, when and why.
 *
 * @throws KnowledgeError `validation_error` when the call does not say who makes it.
 */
export function actOf(context: Pick<HandlerContext, 'actor' | 'now'>, reason = ''): Act {
  return { actor: requireActor(context), at: context.now, reason };
}

/** Who looks at a person's data, when and why; without mutual TLS a caller may be unnamed. */
export function lookOf({ actor = 'unnamed', now }: Pick<HandlerContext, 'actor' | 'now'>, reason = ''): Act {
  return { actor, at: now, reason };
}
