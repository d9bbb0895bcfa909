import type {
  EraseContributorRequest,
  EraseContributorResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import type { PersonalDataStore } from '../store/personal-data.js';
import type { TransitionLog } from '../store/transition-log.js';
import { callOf, lookOf, requireActor, requireEmail } from './call.js';

/** ModerationService.EraseContributor. Who erases, and why, is stored first. */
export function handleEraseContributor(
  personalData: PersonalDataStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<EraseContributorRequest, EraseContributorResponse> {
  return async ({ email, withWork, reason }, context) => {
    const folded = requireEmail(email);
    const actor = requireActor(context);
    const person = personHash(folded);
    const look = {
      subject: 'person' as const,
      id: person,
      person,
      to: 'erased' as const,
      ...lookOf(context, clock, reason),
    };
    await transitions.record(look, context.signal);
    return personalData.erase(folded, withWork, actor, callOf(context, clock));
  };
}
