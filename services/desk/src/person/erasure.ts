import { type Erasure, ErasureState } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { deadlineIn } from '@knowledge/runtime/client';
import type { Column } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { connectTimeoutMs } from '../session.js';
import { enumWords, requireField } from '../words.js';
import type { PersonServices } from './person.js';

/** Asks for the erasure of a person. Nothing is erased before another staff member confirms. */
export async function askForErasure(
  { erasures, call }: PersonServices,
  request: { readonly email: string; readonly withWork: boolean; readonly reason: string },
): Promise<ErasureView> {
  return presentErasure(requireField((await erasures.requestErasure(request, call())).erasure));
}

/** Confirms an erasure and does it in both services. Safe to repeat, so a half erasure is completed by a repetition. */
export async function confirmErasure({ erasures, grants, moderation, call }: PersonServices, id: string) {
  // Both services must respond before the erasure begins.
  await Promise.all([grants, moderation].map((client) => client.ready(deadlineIn(connectTimeoutMs))));
  const { erasure } = await erasures.confirmErasure({ id }, call());
  const { email, asked_by } = presentErasure(requireField(erasure));
  const ids = { erasureId: id, email: '' };
  // The tokens end first, so that no new contribution arrives during the erasure.
  const { authorizations, tokens } = await grants.erasePerson(ids, call());
  const { deleted, anonymized } = await moderation.eraseContributor(ids, call());
  return { id, state: 'erased', email, asked_by, tokens, authorizations, contributions: deleted, anonymized };
}

export async function cancelErasure({ erasures, call }: PersonServices, id: string, reason: string) {
  return presentErasure(requireField((await erasures.cancelErasure({ id, reason }, call())).erasure));
}

const states = enumWords(ErasureState);

export type ErasureView = ReturnType<typeof presentErasure>;

export function presentErasure(erasure: Erasure) {
  return {
    id: erasure.id,
    state: states.fromWire(erasure.state),
    email: erasure.email || null,
    with_work: erasure.withWork,
    reason: erasure.reason || null,
    asked_by: erasure.askedBy,
    asked_at: timestamp(erasure.askedAt),
    lapses_at: timestamp(erasure.lapsesAt),
    decided_by: erasure.decidedBy || null,
    decided_at: timestamp(erasure.decidedAt),
  };
}

export const erasureColumns: readonly Column<ErasureView>[] = [
  { header: 'id', value: 'id', isId: true },
  { header: 'state', value: 'state', isState: true },
  { header: 'asked by', value: 'asked_by', flexible: true },
  { header: 'asked, UTC', value: (each) => readableTime(each.asked_at), dropPriority: 2 },
  { header: 'lapses', value: (each) => (each.state === 'waiting' ? readableTime(each.lapses_at) : '-') },
  { header: 'decided by', value: (each) => each.decided_by ?? '-', flexible: true, dropPriority: 1 },
  { header: 'work', value: (each) => (each.with_work ? 'too' : 'stays'), dropPriority: 3 },
  { header: 'e-mail', value: (each) => each.email ?? '-', neverCut: true },
];
