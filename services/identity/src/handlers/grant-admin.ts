import type { AuthorizationRecord, GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
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
import { auditAttribution, type HandlerContext, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { toWireMail } from '@knowledge/runtime/mail';
import { aboutPerson } from '@knowledge/runtime/transition-log';
import { personHash, watchHandler } from '@knowledge/runtime/watch';
import { requireEmail, toWireTransition } from '@knowledge/runtime/wire';
import { type Authorization, revokeGrant, stateAt } from '../domain/authorization.js';
import { erasePerson } from '../erasures/handlers.js';
import { sendAccessLink } from './access-links.js';
import { blockHandlers, toWireBlock } from './blocks.js';
import { streamPersonExport } from './person-export.js';
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

  return {
    async listTokens(request, call) {
      const idPrefix = readIdPrefix(request.idPrefix);
      // Support cannot list the tokens of all people. A request needs an e-mail, an id prefix or a hash.
      const { tokenHash: hash } = request;
      const isNamed = idPrefix !== undefined || hash !== undefined;
      const email = request.email === '' && isNamed ? undefined : requireEmail(request.email);
      const { items, next } = await tokens.list({ email, idPrefix, hash }, readPageQuery(request), call);
      const whose = email === undefined ? listed : { ...aboutPerson(email), to: 'viewed' as const };
      await recordLook(whose, call, request.reason);
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
      await grants.endAgent({ email: requireEmail(email), rootAuthorizationId }, act, call.signal, told);
      wakeOutbox();
      return {};
    },

    ...blockHandlers(parts),
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
      const whose = email === undefined ? listed : { ...listed, ...aboutPerson(email) };
      await recordLook(whose, call, request.reason);
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

    streamPersonExport: streamPersonExport(parts),
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

const listed = { subject: 'person', id: '', to: 'listed' } as const;

function unknownToken() {
  return new KnowledgeError('not_found', 'There is no token with this id.');
}

function unknownAuthorization() {
  return new KnowledgeError('not_found', 'There is no authorization request with this id.');
}
