import type { CallContext } from '@knowledge/runtime/grpc';
import type { Transition } from '../domain/transition.js';

/** A line for a change that was made, with who made it; none where nothing changed. */
export function logChange(
  { log }: CallContext,
  subject: 'article' | 'object',
  name: string,
  decision: { readonly outcome: string; readonly transition?: Transition },
): void {
  const { outcome, transition } = decision;
  if (transition === undefined) return;
  const { actor, from, to, revision } = transition;
  log.info({ subject, name, outcome, actor, from, to, revision }, `${subject} changed`);
}
