import type {
  GrantAdminServiceService,
  StreamPersonExportRequest,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { mailboxOf } from '@knowledge/runtime';
import { eachShown, type Handlers, requireAttribution, streamExport } from '@knowledge/runtime/grpc';
import { aboutPerson } from '@knowledge/runtime/transition-log';
import { requireEmail, toWireFields } from '@knowledge/runtime/wire';
import type { Authorization, Mail } from '../domain/authorization.js';
import type { Block } from '../domain/block.js';
import type { AccessKey } from '../domain/mailed-code.js';
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
    const whose = aboutPerson(email);
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
      links: eachShown(kept.links, exportLink),
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
    ...toWireFields(authorization, ['agentName', 'scopes', 'purpose', 'site', 'createdAt', 'expiresAt']),
    ...toWireFields(authorization, ['decision', 'decidedAt']),
    token_id: authorization.grant?.tokenId ?? null,
    mails: authorization.mails.map(exportMail),
    history: authorization.history,
    erases_at: authorization.purgeAt,
  };
}

/** The links to the own page, with the mails that carried them. */
function exportLink({ site, createdAt, purgeAt, mails }: AccessKey): object {
  return { site, created_at: createdAt, erases_at: purgeAt, mails: mails.map(exportMail) };
}

function exportMail({ failure, ...mail }: Mail): object {
  return { ...toWireFields(mail, ['purpose', 'state', 'attempts', 'recordedAt', 'sentAt']), failure: failure ?? null };
}

function exportBlock({ createdAt, until, reason }: Block): object {
  return { since: createdAt, until, reason };
}

function exportErasure(erasure: Erasure): object {
  return toWireFields(erasure, ['state', 'withWork', 'reason', 'askedAt', 'lapsesAt', 'decidedAt']);
}

function exportToken(token: Token): object {
  return { ...toWireFields(token, tokenAsStored), erases_at: token.purgeAt };
}

const tokenAsStored = [
  'id',
  'authorizationId',
  'state',
  'agentName',
  'scopes',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'revokedAt',
  'history',
] as const;
