import type { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Identity } from '../clients/identity.js';
import type { PersonalDataStore } from '../store/personal-data.js';
import type { TransitionLog } from '../store/transition-log.js';

export interface EraseContributorParts {
  readonly personalData: PersonalDataStore;
  readonly transitions: TransitionLog;
  readonly identity: Pick<Identity, 'confirmedErasure' | 'finishErasure'>;
}

/**
 * Erases this service's part of a person. Whom, and how, is what identity says about the confirmed erasure, so nobody
 * can erase alone (SECURITY.md#erasing-a-person).
 */
export function eraseContributor({
  personalData,
  transitions,
  identity,
}: EraseContributorParts): Handlers<ModerationServiceService>['eraseContributor'] {
  return async ({ erasureId, email: expected }, context) => {
    const { requestId, signal } = context;
    const act = requireAttribution(context);
    const { email, withWork, reason } = await identity.confirmedErasure(erasureId, { requestId, signal });
    if (email === '') return { deleted: 0, anonymized: 0 };
    if (expected !== '' && expected.toLowerCase() !== email) {
      throw new KnowledgeError('validation_error', 'email is not that of the erasure.');
    }
    const person = personHash(email);
    const entry = { subject: 'person' as const, id: person, person, to: 'erased' as const };
    await transitions.record({ ...entry, ...act, reason }, signal);
    const erased = await personalData.erase(email, withWork, { ...act, reason }, context);
    await identity.finishErasure(erasureId, { requestId, signal });
    return erased;
  };
}
