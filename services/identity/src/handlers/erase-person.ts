import type { ErasePersonRequest, ErasePersonResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import type { PersonStore } from '../store/people.js';
import type { TransitionLog } from '../store/transitions.js';
import { actOf, callOf } from './call.js';

/** Who erases, and why, is stored first. */
export function handleErasePerson(
  people: PersonStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<ErasePersonRequest, ErasePersonResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    const act = actOf(context, clock, request.reason ?? '');
    const person = personHash(email);
    await transitions.record({ subject: 'person', id: person, person, to: 'erased', ...act }, context.signal);
    return people.erase(email, act, callOf(context, clock));
  };
}
