import type {
  AuthorizationRecord,
  GetTokenRecordResponse,
  RequestBlock,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState, type Token } from '@knowledge/proto/knowledge/identity/v1/identity';
import { scopeNames as scopeWords } from '@knowledge/runtime/wire';
import { presented } from '../base/presented.js';
import { type Columns, idColumn, stateColumn } from '../base/table.js';
import { readableTime, timestamp } from '../base/time.js';
import { presentTransition } from '../base/transition.js';
import { enumWords, lenient, requireField, sites } from '../base/words.js';

export const authorizationStates = enumWords(AuthorizationState);

export type AuthorizationView = ReturnType<typeof presentAuthorization>;

export function presentAuthorization(record: AuthorizationRecord) {
  const authorization = requireField(record.authorization);
  return {
    id: authorization.id,
    state: authorizationStates.fromWire(authorization.state),
    email: record.email,
    agent_name: authorization.agentName,
    scopes: authorization.scopes.map(scopes.fromWire),
    purpose: authorization.purpose || null,
    site: sites.fromWire(authorization.site),
    user_code: authorization.userCode || null,
    token_id: record.tokenId || null,
    client_address: record.clientAddress || null,
    client_id: record.clientId || null,
    created_at: timestamp(authorization.createdAt),
    expires_at: timestamp(authorization.expiresAt),
    decided_at: timestamp(authorization.decidedAt),
    mails: record.mails.map(presented),
    history: record.history.map(presentTransition),
  };
}

export type BlockView = ReturnType<typeof presentBlock>;

/** Converts the block of a mailbox. `until` is null for a block that never ends. */
export function presentBlock({ until, actor, reason, createdAt }: RequestBlock) {
  return { until: timestamp(until), by: actor, reason: reason || null, created_at: timestamp(createdAt) };
}

export const authorizationColumns: Columns<AuthorizationView> = {
  ...idColumn,
  ...stateColumn,
  agent: { value: 'agent_name', flexible: 8 },
  'asked, UTC': { value: 'created_at', dropPriority: 1 },
  mail: { value: (each) => each.mails.at(-1)?.state ?? '-', dropPriority: 2 },
  'e-mail': { value: 'email', neverCut: true },
};

/** An unknown name gives `SCOPE_UNSPECIFIED`. */
const scopes = lenient(scopeWords);
export const { words: scopeNames, toWire: toWireScope } = scopes;

/** The facts about a token. They never contain the secret. */
export type TokenView = ReturnType<typeof presentToken>;

export function presentToken({ authorizationId: _, ...token }: Token) {
  const expired = (token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now();
  return {
    ...presented(token),
    state: token.revokedAt !== undefined ? endState(token.endedBy) : expired ? 'expired' : 'active',
    scopes: token.scopes.map(scopes.fromWire),
    sites: [...sites.words],
    ended_by: token.endedBy || null,
  };
}

/** Who ended a token, in words. Staff are one: a moderator can end one too. */
export function endedByWords(by: string | null): string | null {
  if (by === 'support') return 'our team';
  return by === 'renewal' ? 'a newer token of the same agent' : by;
}

function endState(by: string): string {
  return by === 'renewal' ? 'renewed' : 'revoked';
}

export const tokenColumns: Columns<TokenView> = {
  ...idColumn,
  ...stateColumn,
  agent: { value: 'agent_name', flexible: true },
  scopes: { value: (each) => each.scopes.join(' ') || 'reads only', flexible: true },
  'made, UTC': { value: 'created_at', dropPriority: 2 },
  'last used': { value: 'last_used_at', dropPriority: 1 },
  ends: (each) => readableTime(each.revoked_at ?? each.expires_at),
};

/** A token for support, with its authorization request. */
export type TokenRecordView = ReturnType<typeof presentTokenRecord>;

export function presentTokenRecord({ token, history, authorization }: GetTokenRecordResponse) {
  return {
    ...presentToken(requireField(token)),
    history: history.map(presentTransition),
    authorization: authorization === undefined ? null : presentAuthorization(authorization),
  };
}
