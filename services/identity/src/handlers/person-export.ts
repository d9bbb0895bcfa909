import type {
  GrantAdminServiceService,
  StreamPersonExportRequest,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { mailboxOf } from '@knowledge/runtime';
import { eachShown, type Handlers, requireAttribution, streamExport } from '@knowledge/runtime/grpc';
import { aboutPerson } from '@knowledge/runtime/transition-log';
import { personHash } from '@knowledge/runtime/watch';
import { requireEmail } from '@knowledge/runtime/wire';
import type { Authorization } from '../domain/authorization.js';
import type { Block } from '../domain/block.js';
import type { Token } from '../domain/token.js';
import type { Erasure } from '../erasures/domain.js';
import type { IdentityParts } from './wire.js';

/**
 * Exports all stored data of a person except secrets and hashes. Before it reads the data, the log records the actor
 * and the reason.
 */
export function streamPersonExport({
  transitions,
  people,
  erasures,
  blocks,
}: IdentityParts): Handlers<GrantAdminServiceService>['streamPersonExport'] {
  return streamExport<StreamPersonExportRequest>(async (request, call) => {
    const email = requireEmail(request.email);
    const act = requireAttribution(call, request.reason);
    const whose = aboutPerson(personHash(email));
    await transitions.record({ ...whose, to: 'exported', ...act }, call.signal);
    const kept = people.export(email, call);
    const asked = await erasures.list({ all: true, person: whose.person }, { size: 200, after: undefined }, call);
    const { own, staff } = await blocks.find(mailboxOf(email), call);
    return {
      email,
      authorizations: eachShown(kept.authorizations, exportAuthorization),
      tokens: eachShown(kept.tokens, exportToken),
      asked_from: eachShown(kept.requesters, ({ address, clientId }) => ({
        client_address: address,
        client_id: clientId,
      })),
      erasures: asked.items.map(exportErasure),
      requests_refused: own ? exportBlock(own) : null,
      blocked: staff ? exportBlock(staff) : null,
    };
  });
}

function exportAuthorization(authorization: Authorization): object {
  return {
    id: authorization.id,
    state: authorization.state,
    asked_by: authorization.origin,
    agent_name: authorization.agentName,
    scopes: authorization.scopes,
    purpose: authorization.purpose,
    site: authorization.site,
    created_at: authorization.createdAt,
    expires_at: authorization.expiresAt,
    decision: authorization.decision,
    decided_at: authorization.decidedAt,
    token_id: authorization.grant?.tokenId ?? null,
    mails: authorization.mails.map(({ purpose, state, attempts, recordedAt, sentAt, failure = null }) => ({
      purpose,
      state,
      attempts,
      recorded_at: recordedAt,
      sent_at: sentAt,
      failure,
    })),
    history: authorization.history,
    erases_at: authorization.purgeAt,
  };
}

function exportBlock({ createdAt, until, reason }: Block): object {
  return { since: createdAt, until, reason };
}

function exportErasure({ state, withWork, reason, askedAt, lapsesAt, decidedAt }: Erasure): object {
  return { state, with_work: withWork, reason, asked_at: askedAt, lapses_at: lapsesAt, decided_at: decidedAt };
}

function exportToken(token: Token): object {
  return {
    id: token.id,
    authorization_id: token.authorizationId,
    state: token.state,
    agent_name: token.agentName,
    scopes: token.scopes,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    revoked_at: token.revokedAt,
    history: token.history,
    erases_at: token.purgeAt,
  };
}
