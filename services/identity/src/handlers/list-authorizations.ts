import type {
  ListAuthorizationsRequest,
  ListAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { pageToken, readIdPrefix, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import { readEmail } from '../domain/email.js';
import { callOf, lookOf } from './call.js';
import type { RecordDeps } from './get-authorization-record.js';
import { fromWireState } from './present-authorization.js';
import { presentRecord } from './present-record.js';

/** Who lists, and why, is stored: a list shows addresses. */
export function handleListAuthorizations({
  authorizations,
  askers,
  transitions,
  clock,
}: RecordDeps): UnaryHandler<ListAuthorizationsRequest, ListAuthorizationsResponse> {
  return async (request, context) => {
    const call = callOf(context, clock);
    const filter = {
      email: request.email === '' ? undefined : readEmail(request.email),
      state: fromWireState(request.state),
      idPrefix: readIdPrefix(request.idPrefix),
    };
    const { items, next } = await authorizations.list(filter, readPageQuery(request), call);
    const look = lookOf(context, clock, request.reason);
    const whose = filter.email === undefined ? { id: '' } : personOf(filter.email);
    await transitions.record({ subject: 'person', ...whose, to: 'listed', ...look }, context.signal);
    const from = await askers.find(
      items.map(({ id }) => id),
      call,
    );
    return {
      authorizations: items.map((each) => presentRecord(each, call.now, from.get(each.id))),
      nextPageToken: pageToken(next),
    };
  };
}

function personOf(email: string): { id: string; person: string } {
  const person = personHash(email);
  return { id: person, person };
}
