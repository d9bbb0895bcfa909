import type { Transition as WireTransition } from '@knowledge/proto/knowledge/common/v1/common';
import type { Transition } from '../transition.js';

export function toWireTransition({ from, to, actor, at, reason, revision }: Transition): WireTransition {
  return { fromState: from, toState: to, actor, occurredAt: at, reason, revision };
}
