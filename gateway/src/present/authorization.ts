import { type Authorization, AuthorizationState, type Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { timestamp } from '@knowledge/runtime';
import { enumWords, fromWireScope } from '@knowledge/runtime/wire';
import { siteNames } from '../upstream/sites.js';

export const { answered: fromWireAuthorizationState } = enumWords('state', AuthorizationState);

/** The names of the states in the API. */
export type AuthorizationStateName = ReturnType<typeof fromWireAuthorizationState>;

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
