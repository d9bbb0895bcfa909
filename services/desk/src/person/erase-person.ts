import { deadlineIn } from '@knowledge/runtime/client';
import { type ErasureView, presentErasure } from '../present/erasure.js';
import { requireField } from '../present/require-field.js';
import { connectTimeoutMs } from '../session.js';
import type { PersonServices } from './person-services.js';

/** Asks for the erasure of a person. Nothing is erased before another staff member confirms. */
export async function askForErasure(
  { erasures, call }: PersonServices,
  request: { readonly email: string; readonly withWork: boolean; readonly reason: string },
): Promise<ErasureView> {
  return presentErasure(requireField((await erasures.requestErasure(request, call())).erasure));
}

export type ErasedView = Awaited<ReturnType<typeof confirmErasure>>;

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
