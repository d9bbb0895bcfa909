import type {
  AuthorizationRecord,
  GetAuthorizationRecordRequest,
  GetAuthorizationRecordResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import type { Authorization } from '../domain/authorization.js';
import { isId } from '../domain/id.js';
import type { AskerStore } from '../store/askers.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { Call } from '../store/call.js';
import type { TransitionLog } from '../store/transitions.js';
import { callOf, lookOf } from './call.js';
import { presentRecord, presentTransition } from './present-record.js';

/** What it takes to show requests to support. */
export interface RecordDeps {
  authorizations: AuthorizationStore;
  askers: AskerStore;
  transitions: TransitionLog;
  clock: Clock;
}

/** Who looks, and why, is stored. */
export function handleGetAuthorizationRecord(
  deps: RecordDeps,
): UnaryHandler<GetAuthorizationRecordRequest, GetAuthorizationRecordResponse> {
  const { authorizations, transitions, clock } = deps;
  return async ({ id, reason }, context) => {
    const call = callOf(context, clock);
    const found = isId(id) ? await authorizations.find(id, call) : undefined;
    if (found === undefined || found.state === 'erased') {
      throw new KnowledgeError('not_found', 'There is no authorization request with this id.');
    }
    const look = lookOf(context, clock, reason);
    const person = personHash(found.email);
    await transitions.record({ subject: 'authorization', id, person, to: 'viewed', ...look }, context.signal);
    return { authorization: await presentAsked(found, deps, call) };
  };
}

/** A request with its history and with where it was asked from. */
export async function presentAsked(
  request: Authorization,
  { askers }: Pick<RecordDeps, 'askers'>,
  call: Call,
): Promise<AuthorizationRecord> {
  const asker = (await askers.find([request.id], call)).get(request.id);
  return { ...presentRecord(request, call.now, asker), history: request.history.map(presentTransition) };
}
