import { KnowledgeError } from '@knowledge/runtime';
import type { CallContext } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { Call } from '../store/call.js';

/** The store's part of a call's context. */
export function callOf(context: CallContext, clock: Clock): Call {
  return { signal: context.signal, now: clock() };
}

/** @throws KnowledgeError `validation_error` when a change does not say who makes it. */
export function requireActor({ actor }: CallContext): string {
  if (actor === undefined) {
    throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
  }
  return actor;
}
