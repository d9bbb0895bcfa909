import { ErasureState, type Erasure as WireErasure } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { type CallContext, KnowledgeError } from '@knowledge/runtime';
import { isId } from '../../domain/id.js';
import type { Erasure, ErasureChange } from '../domain/erasure.js';
import type { ErasureStore } from '../store/erasures.js';

/** Changes a request. @throws KnowledgeError `not_found` if it is unknown or has lapsed, and what `decide` throws */
export async function changeErasure(
  erasures: ErasureStore,
  id: string,
  decide: (found: Erasure) => ErasureChange,
  call: CallContext,
): Promise<Erasure> {
  const now = isId(id) ? await erasures.change(id, decide, call) : undefined;
  if (now === undefined) {
    throw new KnowledgeError('not_found', 'There is no erasure with this id; a request lapses after seven days.');
  }
  return now;
}

const states = {
  waiting: ErasureState.WAITING,
  confirmed: ErasureState.CONFIRMED,
  done: ErasureState.DONE,
  cancelled: ErasureState.CANCELLED,
} as const;

export function toWireErasure({ state, decidedAt, ...erasure }: Erasure): WireErasure {
  const { erasedHere: _, purgeAt: __, ...rest } = erasure;
  return { ...rest, state: states[state], decidedAt: decidedAt ?? undefined };
}
