import type {
  AuthorizationRecord,
  GrantAdminServiceService,
  RequestBlock,
  StreamPersonExportRequest,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import {
  type Attribution,
  type CallContext,
  isUuid,
  KnowledgeError,
  mailboxOf,
  pageToken,
  readIdPrefix,
  readPageQuery,
} from '@knowledge/runtime';
import {
  auditAttribution,
  eachShown,
  type HandlerContext,
  type Handlers,
  requireAttribution,
  streamExport,
} from '@knowledge/runtime/grpc';
import { toWireMail } from '@knowledge/runtime/mail';
import { personHash, watchHandler } from '@knowledge/runtime/watch';
import { requireEmail, toWireTransition } from '@knowledge/runtime/wire';
import { type Authorization, revokeGrant, stateAt } from '../domain/authorization.js';
import { type Block, type MailboxBlocks, newBlock } from '../domain/block.js';
import type { Token } from '../domain/token.js';
import type { Erasure } from '../erasures/domain.js';
import { erasePerson } from '../erasures/handlers.js';
import { endPending, hasAccessPage, recordBlockMail, sendAccessLink } from './access-links.js';
import { issueToken } from './tokens.js';
import { type IdentityParts, optionalState, toWireRecord, toWireToken } from './wire.js';

/** The parts of the handlers for support. Each look at personal data is recorded with its actor and reason. */
export function grantAdminHandlers(parts: IdentityParts): Handlers<GrantAdminServiceService> {
  const { authorizations, requesters, blocks, grants, tokens, transitions, follower, wakeOutbox } = parts;

  const toWireWholeRecord = async (request: Authorization, call: CallContext): Promise<AuthorizationRecord> => {
    const requester = (await requesters.find([request.id], call)).get(request.id);
    return { ...toWireRecord(request, call.now, requester), history: request.history.map(toWireTransition) };
  };

  const recordLook = (seen: Look, call: HandlerContext, reason: string | undefined) =>
    transitions.record({ ...seen, ...auditAttribution(call, reason) }, call.signal);

  const recordBlock = async (email: string, to: 'blocked' | 'unblocked', act: Attribution, { signal }: CallContext) => {
    await transitions.record({ subject: 'person', ...personOf(email), to, ...act }, signal);
  };

  return {
    async listTokens(request, call) {
      const idPrefix = readIdPrefix(request.idPrefix);
      // Support cannot list the tokens of all people. A request needs an e-mail, an id prefix or a hash.
      const { tokenHash: hash } = request;
      const isNamed = idPrefix !== undefined || hash !== undefined;
      const email = request.email === '' && isNamed ? undefined : requireEmail(request.email);
      const { items, next } = await tokens.list({ email, idPrefix, hash }, readPageQuery(request), call);
      const whose = email === undefined ? listed : { ...personOf(email), to: 'viewed' as const };
      await recordLook({ subject: 'person', ...whose }, call, request.reason);
      return { tokens: items.map(toWireToken), nextPageToken: pageToken(next) };
    },

    async getTokenRecord({ id, reason }, call) {
      const token = isUuid(id) ? await tokens.find(id, call) : undefined;
      if (token === undefined || token.state === 'erased') throw unknownToken();
      await recordLook({ subject: 'token', id, to: 'viewed', person: personHash(token.email) }, call, reason);
      const request = await authorizations.find(token.authorizationId, call);
      return {
        token: toWireToken(token),
        history: token.history.map(toWireTransition),
        authorization: request && (await toWireWholeRecord(request, call)),
      };
    },

    async revokeTokenById({ tokenId, reason, keepWaiting }, call) {
      const { requestId } = call;
      const act = { ...requireAttribution(call, reason), requestId, withdrawWaiting: !keepWaiting };
      const token = isUuid(tokenId) ? await grants.revokeToken(tokenId, act, call.signal) : undefined;
      if (token === undefined) throw unknownToken();
      wakeOutbox();
      return { token: toWireToken(token) };
    },

    async cancelAuthorization({ id, reason }, call) {
      const act = requireAttribution(call, reason);
      if (!isUuid(id)) throw unknownAuthorization();
      const state = await authorizations.change(
        id,
        (found) => {
          const was = stateAt(found, call.now);
          return { result: was, change: was === 'pending' ? revokeGrant(found, act) : undefined };
        },
        call,
      );
      const now = await authorizations.find(id, call);
      if (state === undefined || state === 'erased' || now === undefined) throw unknownAuthorization();
      if (now.state !== 'revoked') {
        throw new KnowledgeError('invalid_state', `The request is ${state}; only a pending one can be cancelled.`);
      }
      return { authorization: { ...toWireRecord(now, call.now), history: now.history.map(toWireTransition) } };
    },

    async endAgentAccess({ email, authorizationId: rootAuthorizationId, reason, told }, call) {
      const { requestId } = call;
      const act = { ...requireAttribution(call, reason), requestId, withdrawWaiting: true };
      const token = await tokens.validOf({ email: requireEmail(email), rootAuthorizationId }, call);
      if (token !== undefined) await grants.revokeToken(token.id, act, call.signal, told);
      wakeOutbox();
      return {};
    },

    async getBlock({ email }, call) {
      const { staff } = await blocks.find(mailboxOf(requireEmail(email)), call);
      return { block: staff && toWireBlock(staff) };
    },

    async blockRequests(request, call) {
      const email = requireOneMailbox(request.email);
      const act = requireAttribution(call, request.reason);
      const block = newBlock(email, request.days, act);
      await blocks.put(block, call);
      await recordBlock(email, 'blocked', act, call);
      if (await hasAccessPage(parts, email, call)) await recordBlockMail(parts, email, call);
      return { until: block.until ?? undefined, cancelled: await endPending(parts, email, act, call) };
    },

    async unblockRequests(request, call) {
      const email = requireEmail(request.email);
      const act = requireAttribution(call, request.reason);
      const mailbox = mailboxOf(email);
      const end = (whose: keyof MailboxBlocks) => blocks.end(mailbox, whose, call.requestId, call);
      if (!(await end('staff')) && !(await end('own'))) {
        throw new KnowledgeError('not_found', 'This mailbox is not blocked: agents may send it requests.');
      }
      await recordBlock(email, 'unblocked', act, call);
      return {};
    },

    issueToken: issueToken(parts),

    async listAuthorizations(request, call) {
      const email = request.email === '' ? undefined : requireEmail(request.email);
      const filter = {
        email,
        state: optionalState(request.state),
        idPrefix: readIdPrefix(request.idPrefix),
        requestId: request.requestId || undefined,
        userCode: request.userCode || undefined,
        agentName: request.agentName || undefined,
      };
      const { items, next } = await authorizations.list(filter, readPageQuery(request), call);
      const whose = email === undefined ? listed : { ...listed, ...personOf(email) };
      await recordLook({ subject: 'person', ...whose }, call, request.reason);
      const ids = items.map(({ id }) => id);
      const [from, blocked, linkMails] = await Promise.all([
        requesters.find(ids, call),
        email === undefined ? undefined : blocks.find(mailboxOf(email), call),
        email === undefined ? [] : parts.keys.mailsTo(email, call),
      ]);
      const block = blocked?.staff ?? blocked?.own;
      return {
        authorizations: items.map((each) => toWireRecord(each, call.now, from.get(each.id))),
        nextPageToken: pageToken(next),
        block: block && toWireBlock(block),
        linkMails: linkMails.map(toWireMail),
      };
    },

    async getAuthorizationRecord({ id, reason }, call) {
      const found = isUuid(id) ? await authorizations.find(id, call) : undefined;
      if (found === undefined || found.state === 'erased') throw unknownAuthorization();
      await recordLook({ subject: 'authorization', id, to: 'viewed', person: personHash(found.email) }, call, reason);
      return { authorization: await toWireWholeRecord(found, call) };
    },

    /**
     * Exports all stored data of a person except secrets and hashes. Before it reads the data, the log records the actor
     * and the reason.
     */
    streamPersonExport: streamExport<StreamPersonExportRequest>(async (request, call) => {
      const email = requireEmail(request.email);
      const act = requireAttribution(call, request.reason);
      const { person } = personOf(email);
      await transitions.record({ subject: 'person', id: person, person, to: 'exported', ...act }, call.signal);
      const kept = parts.people.export(email, call);
      const asked = await parts.erasures.list({ all: true, person }, { size: 200, after: undefined }, call);
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
    }),

    erasePerson: erasePerson(parts),
    sendAccessLink: sendAccessLink(parts),

    watchGrants: watchHandler(follower, {
      factsOf: (entry) => entry,
      toWire: ({ subject, id, name: agentName = '', ...transition }, cursor) => ({
        cursor,
        subject,
        id,
        agentName,
        transition: toWireTransition(transition),
      }),
    }),
  };
}

type Look = Omit<Parameters<IdentityParts['transitions']['record']>[0], keyof Attribution>;

function toWireBlock({ until, actor, reason, createdAt }: Block): RequestBlock {
  return { until: until ?? undefined, actor, reason, createdAt };
}

// A name with a wildcard would block a mailbox that nobody has.
function requireOneMailbox(input: string) {
  const [, domain] = /^(?:[^@]*[*%?][^@]*@|[._-]*@)?(?:[*%?]+\.)*([^@]+\.[^@]+)$/.exec(input.trim()) ?? [];
  if (domain === undefined) return requireEmail(input);
  throw new KnowledgeError(
    'validation_error',
    `email must be one mailbox. For all mailboxes of a domain make a rule: knowledge domain refuse ${domain}.`,
  );
}

const listed = { id: '', to: 'listed' as const };

function personOf(email: string) {
  const person = personHash(email);
  return { id: person, person };
}

function unknownToken() {
  return new KnowledgeError('not_found', 'There is no token with this id.');
}

function unknownAuthorization() {
  return new KnowledgeError('not_found', 'There is no authorization request with this id.');
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
    deleted_at: authorization.purgeAt,
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
    deleted_at: token.purgeAt,
  };
}
