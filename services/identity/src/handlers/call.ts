import { KnowledgeError } from '@knowledge/runtime';
import type { HandlerContext } from '@knowledge/runtime/grpc';
import { recordedTrace } from '@knowledge/runtime/telemetry';
import type { Clock } from '../clock.js';
import { readReason } from '../domain/text.js';
import type { Act } from '../domain/transition.js';
import type { Call } from '../store/call.js';

/** Who looks at a person's data, when and why; without mutual TLS a caller may be unnamed. */
export function lookOf({ actor = 'unnamed' }: HandlerContext, clock: Clock, reason = ''): Act {
  return { actor, at: clock(), reason: readReason(reason) };
}

/** The store's part of a call's context. */
export function callOf(context: HandlerContext, clock: Clock): Call {
  return { signal: context.signal, now: clock(), traceparent: recordedTrace(context.traceparent) };
}

/**
 * A change that somebody of ours makes: who, when and why.
 *
 * @throws KnowledgeError `validation_error` when the call does not say who makes it.
 */
export function actOf({ actor }: HandlerContext, clock: Clock, reason: string): Act {
  if (actor === undefined) {
    throw new KnowledgeError('validation_error', 'The metadata x-actor must name who makes the change.');
  }
  return { actor, at: clock(), reason: readReason(reason) };
}
