import type { ConfirmedErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import type { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import type { PersonStore } from '../../store/people.js';
import { finish, requireConfirmed, requireErasedHere } from '../domain/erasure.js';
import type { ErasureParts } from './erasures.js';
import { changeErasure } from './wire-erasure.js';

export interface ErasePersonParts extends ErasureParts {
  people: PersonStore;
}

/**
 * Erases identity's part of a person after a second staff member confirmed it. The log records actor and reason before
 * anything is erased.
 */
export function erasePerson({
  erasures,
  people,
  transitions,
}: ErasePersonParts): Handlers<GrantAdminServiceService>['erasePerson'] {
  return async ({ erasureId, email: expected }, call) => {
    const found = await changeErasure(erasures, erasureId, (erasure) => void requireConfirmed(erasure), call);
    const { email, person, reason, state } = found;
    if (state === 'done') return { authorizations: 0, tokens: 0 };
    if (expected !== '' && expected.toLowerCase() !== email) {
      throw new KnowledgeError('validation_error', 'email is not that of the erasure.');
    }
    const act = requireAttribution(call, reason);
    await transitions.record({ subject: 'person', id: person, person, to: 'erased', ...act }, call.signal);
    const erased = await people.erase(email, act, call);
    await changeErasure(erasures, erasureId, ({ erasedHere }) => (erasedHere ? undefined : { erasedHere: true }), call);
    return erased;
  };
}

/** What contributions asks before it erases its part, and says afterwards. */
export function confirmedErasureHandlers({ erasures }: ErasureParts): Handlers<ConfirmedErasureServiceService> {
  return {
    async getConfirmedErasure({ id }, call) {
      const found = await changeErasure(erasures, id, (erasure) => void requireErasedHere(erasure), call);
      const { email, withWork, reason } = found;
      return { email, withWork, reason };
    },
    async finishErasure({ id }, call) {
      await changeErasure(erasures, id, (erasure) => finish(erasure, call.now), call);
      return {};
    },
  };
}
