import { KnowledgeError } from '@knowledge/runtime';
import type { CallContext } from '@knowledge/runtime/grpc';
import { checkReason, collectFaults } from '../domain/bounds.js';
import type { Act } from '../domain/transition.js';

/** Tells the time. */
export type Clock = () => Date;

/**
 * Who makes a change, when and why.
 *
 * @throws KnowledgeError `validation_error` for a call that does not say who, or a reason beyond its bound.
 */
export function actOf({ actor }: CallContext, clock: Clock, reason = ''): Act {
  if (actor === undefined) {
    throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
  }
  const faults = collectFaults();
  checkReason(faults, reason);
  faults.throwIfAny();
  return { actor, at: clock(), reason };
}
