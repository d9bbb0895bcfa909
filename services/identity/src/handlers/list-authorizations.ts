import type {
  ListAuthorizationsRequest,
  ListAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { pageToken, readPageQuery } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { readEmail } from '../domain/email.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import { callOf } from './call.js';
import { fromWireState } from './present-authorization.js';
import { presentRecord } from './present-record.js';

export function handleListAuthorizations(
  authorizations: AuthorizationStore,
  clock: Clock,
): UnaryHandler<ListAuthorizationsRequest, ListAuthorizationsResponse> {
  return async (request, context) => {
    const call = callOf(context, clock);
    const filter = {
      email: request.email === '' ? undefined : readEmail(request.email),
      state: fromWireState(request.state),
    };
    const { items, next } = await authorizations.list(filter, readPageQuery(request), call);
    return { authorizations: items.map((each) => presentRecord(each, call.now)), nextPageToken: pageToken(next) };
  };
}
