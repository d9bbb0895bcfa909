import type {
  EraseContributorRequest,
  EraseContributorResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { PersonalDataStore } from '../store/personal-data.js';
import { callOf, requireActor, requireEmail } from './call.js';

/** ModerationService.EraseContributor. */
export function handleEraseContributor(
  personalData: PersonalDataStore,
  clock: Clock,
): UnaryHandler<EraseContributorRequest, EraseContributorResponse> {
  return async ({ email, withWork }, context) =>
    personalData.erase(requireEmail(email), withWork, requireActor(context), callOf(context, clock));
}
