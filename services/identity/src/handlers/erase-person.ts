import type { ErasePersonRequest, ErasePersonResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import type { PersonStore } from '../store/people.js';
import { actOf, callOf } from './call.js';

export function handleErasePerson(
  people: PersonStore,
  clock: Clock,
): UnaryHandler<ErasePersonRequest, ErasePersonResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    return people.erase(email, actOf(context, clock, ''), callOf(context, clock));
  };
}
