import { type Authorization, AuthorizationState, type Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError, timestamp } from '@knowledge/runtime';
import { siteNames } from '../upstream/sites.js';
import { fromWireScope } from './scope.js';

/** The names of the states in the API. */
export type AuthorizationStateName =
  | 'pending'
  | 'confirmed'
  | 'declined'
  | 'issued'
  | 'expired'
  | 'revoked'
  | 'renewed';

/** Converts an authorization to the JSON that its agent gets (gateway/PROTOCOL.md#request). */
export function presentAuthorization({ id, state, maskedEmail, scopes, expiresAt }: Authorization) {
  return {
    id,
    state: fromWireAuthorizationState(state),
    email: maskedEmail,
    scopes: scopes.map(fromWireScope),
    expires_at: timestamp(expiresAt ?? new Date(0)),
  };
}

/** Converts a token to the JSON that its agent gets (gateway/PROTOCOL.md#tokens). */
export function presentToken({ id, agentName, email, scopes, createdAt, expiresAt, lastUsedAt }: Token) {
  return {
    id,
    agent_name: agentName,
    email,
    scopes: scopes.map(fromWireScope),
    sites: siteNames,
    created_at: timestamp(createdAt ?? new Date(0)),
    expires_at: timestamp(expiresAt ?? new Date(0)),
    last_used_at: lastUsedAt === undefined ? null : timestamp(lastUsedAt),
  };
}

export function fromWireAuthorizationState(state: AuthorizationState): AuthorizationStateName {
  switch (state) {
    case AuthorizationState.PENDING:
      return 'pending';
    case AuthorizationState.CONFIRMED:
      return 'confirmed';
    case AuthorizationState.DECLINED:
      return 'declined';
    case AuthorizationState.ISSUED:
      return 'issued';
    case AuthorizationState.EXPIRED:
      return 'expired';
    case AuthorizationState.REVOKED:
      return 'revoked';
    case AuthorizationState.RENEWED:
      return 'renewed';
    case AuthorizationState.UNSPECIFIED:
    case AuthorizationState.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A service answered with an unknown state.');
  }
}
