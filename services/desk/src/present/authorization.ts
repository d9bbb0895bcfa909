import type { AuthorizationRecord, RequestBlock } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Column } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { enumWords, sites } from '../words.js';
import { requireField } from './require-field.js';
import { fromWireScope } from './token.js';
import { presentMail, presentTransition } from './transition.js';

export const authorizationStates = enumWords(AuthorizationState);

export type AuthorizationView = ReturnType<typeof presentAuthorization>;

export function presentAuthorization(record: AuthorizationRecord) {
  const authorization = requireField(record.authorization);
  return {
    id: authorization.id,
    state: authorizationStates.fromWire(authorization.state),
    email: record.email,
    agent_name: authorization.agentName,
    scopes: authorization.scopes.map(fromWireScope),
    purpose: authorization.purpose || null,
    site: sites.fromWire(authorization.site),
    user_code: authorization.userCode || null,
    token_id: record.tokenId || null,
    client_address: record.clientAddress || null,
    client_id: record.clientId || null,
    created_at: timestamp(authorization.createdAt),
    expires_at: timestamp(authorization.expiresAt),
    decided_at: timestamp(authorization.decidedAt),
    mails: record.mails.map(presentMail),
    history: record.history.map(presentTransition),
  };
}

export type BlockView = ReturnType<typeof presentBlock>;

/** Converts the block of a mailbox. `until` is null for a block that never ends. */
export function presentBlock({ until, actor, reason, createdAt }: RequestBlock) {
  return { until: timestamp(until), by: actor, reason: reason || null, created_at: timestamp(createdAt) };
}

export const authorizationColumns: readonly Column<AuthorizationView>[] = [
  { header: 'id', value: 'id', isId: true },
  { header: 'state', value: 'state', isState: true },
  { header: 'agent', value: 'agent_name', flexible: true, minWidth: 8 },
  { header: 'asked, UTC', value: (each) => readableTime(each.created_at), dropPriority: 1 },
  { header: 'mail', value: (each) => each.mails.at(-1)?.state ?? '-', dropPriority: 2 },
  { header: 'e-mail', value: 'email', neverCut: true },
];
