import type { Token as WireToken } from '@knowledge/proto/knowledge/identity/v1/identity';
import { tokenEndedBy } from '../domain/end.js';
import type { Token } from '../domain/token.js';
import { toWireScopes } from './wire-scopes.js';

/** A token as its holder, its human and support may see it. */
export function presentToken(token: Token): WireToken {
  return {
    id: token.id,
    agentName: token.agentName,
    email: token.email,
    scopes: toWireScopes(token.scopes),
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    lastUsedAt: token.lastUsedAt ?? undefined,
    revokedAt: token.revokedAt ?? undefined,
    authorizationId: token.lineId,
    endedBy: tokenEndedBy(token),
  };
}
