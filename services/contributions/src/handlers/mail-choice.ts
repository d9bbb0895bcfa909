import type {
  GetMailChoiceRequest,
  GetMailChoiceResponse,
  SetMailChoiceRequest,
  SetMailChoiceResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { PeopleStore } from '../store/people.js';
import { requireEmail } from './call.js';

/** ContributionsService.GetMailChoice. */
export function handleGetMailChoice(people: PeopleStore): UnaryHandler<GetMailChoiceRequest, GetMailChoiceResponse> {
  return async ({ email }, { signal }) => ({ eachReceipt: await people.eachReceipt(requireEmail(email), signal) });
}

/** ContributionsService.SetMailChoice. */
export function handleSetMailChoice(people: PeopleStore): UnaryHandler<SetMailChoiceRequest, SetMailChoiceResponse> {
  return async ({ email, eachReceipt }, { signal }) => {
    await people.chooseReceipts(requireEmail(email), eachReceipt, signal);
    return {};
  };
}
