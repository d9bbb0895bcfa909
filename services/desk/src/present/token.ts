import type { Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { scopeNames as scopeWords } from '@knowledge/runtime/wire';
import type { Column } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { lenient, sites } from '../words.js';

/** An unknown name gives `SCOPE_UNSPECIFIED`. */
export const { words: scopeNames, fromWire: fromWireScope, toWire: toWireScope } = lenient(scopeWords);

/** The facts about a token. They never contain the secret. */
export type TokenView = ReturnType<typeof presentToken>;

export function presentToken(token: Token, now = Date.now()) {
  const expired = (token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) <= now;
  return {
    id: token.id,
    state: token.revokedAt !== undefined ? endState(token) : expired ? 'expired' : 'active',
    agent_name: token.agentName,
    email: token.email,
    scopes: token.scopes.map(fromWireScope),
    sites: [...sites.words],
    created_at: timestamp(token.createdAt),
    expires_at: timestamp(token.expiresAt),
    last_used_at: timestamp(token.lastUsedAt),
    revoked_at: timestamp(token.revokedAt),
    ended_by: token.endedBy || null,
  };
}

/** Who ended a token, in words. Staff are one: a moderator can end one too. */
export function endedByWords(by: string | null): string | null {
  if (by === 'support') return 'our team';
  return by === 'renewal' ? 'a newer token of the same agent' : by;
}

function endState({ endedBy }: Token): string {
  return endedBy === 'renewal' ? 'renewed' : 'revoked';
}

export const tokenColumns: readonly Column<TokenView>[] = [
  { header: 'id', value: 'id', isId: true },
  { header: 'state', value: 'state', isState: true },
  { header: 'agent', value: 'agent_name', flexible: true },
  { header: 'scopes', value: (each) => each.scopes.join(' ') || 'reads only', flexible: true },
  { header: 'made, UTC', value: (each) => readableTime(each.created_at), dropPriority: 2 },
  { header: 'last used', value: (each) => readableTime(each.last_used_at), dropPriority: 1 },
  { header: 'ends', value: (each) => readableTime(each.revoked_at ?? each.expires_at) },
];
