import type {
  IdentityServiceService,
  WatchEndedAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError, mailboxOf } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { requireEmail } from '@knowledge/runtime/wire';
import { type Authorization, type AuthorizationState, stateAt } from '../domain/authorization.js';
import { newBlock } from '../domain/block.js';
import { newOpenKey } from '../domain/mailed-code.js';
import { isId } from '../domain/secret.js';
import { actors, invalidToken } from '../domain/token.js';
import type { LogEntry } from '../store/open-stores.js';
import { accessLinkHandlers, endPending, hasAccessPage, requireKeyHolder } from './access-links.js';
import { authorizationOfCode, confirmationHandlers } from './confirmation.js';
import { createAuthorization } from './create-authorization.js';
import { tokenHandlers } from './tokens.js';
import { type IdentityParts, requireToken, toWireAuthorization, toWireToken } from './wire.js';

export function identityHandlers(parts: IdentityParts): Handlers<IdentityServiceService> {
  const { authorizations, blocks, grants, keys, tokens, follower, wakeOutbox } = parts;
  return {
    createAuthorization: createAuthorization(parts),
    ...confirmationHandlers(parts),
    ...tokenHandlers(parts),
    ...accessLinkHandlers(parts),

    async getToken({ tokenId }, call) {
      return { token: toWireToken(await requireToken(parts, tokenId, call)) };
    },

    // A repeated call gets the same response as the first, in case that response was lost.
    async revokeToken({ tokenId }, { now, signal, requestId }) {
      const act = { actor: actors.agent, at: now, reason: '', requestId, withdrawWaiting: false };
      const token = isId(tokenId) ? await grants.revokeToken(tokenId, act, signal) : undefined;
      wakeOutbox();
      if (!token?.revokedAt) throw invalidToken();
      return { revokedAt: token.revokedAt };
    },

    // Returns at most the newest 200 tokens and the newest 200 authorizations.
    async getAccess({ accessKey }, call) {
      const email = await requireKeyHolder(parts, accessKey, call);
      const [{ items }, requests, { own, staff }, hasPage] = await Promise.all([
        tokens.list({ email }, { size: 200, after: undefined }, call),
        authorizations.list({ email }, { size: 200, after: undefined }, call),
        blocks.find(mailboxOf(email), call),
        hasAccessPage(parts, email, call),
      ]);
      // An authorization without a mail was stopped by a block. The human must not see it.
      const mailed = requests.items.filter(({ mails }) => mails.length > 0);
      const shown = (isShown: (state: AuthorizationState) => boolean, of: readonly Authorization[]) =>
        of.filter((each) => isShown(stateAt(each, call.now))).map((each) => toWireAuthorization(each, call.now));
      return {
        email,
        tokens: items.map(toWireToken),
        authorizations: shown((state) => state === 'pending' || state === 'confirmed', mailed),
        unusedAuthorizations: shown(
          (state) => state === 'revoked' || state === 'expired',
          mailed.filter(({ decision, grant }) => decision === 'confirm' && grant === null),
        ),
        requestsRefused: own !== undefined,
        requestsRefusedUntil: own?.until ?? undefined,
        blocked: staff !== undefined,
        blockedUntil: staff?.until ?? undefined,
        linksWeekly: !hasPage && (own ?? staff) !== undefined,
        linksRefused: (own?.noLinks ?? staff?.noLinks) === true,
      };
    },

    async refuseRequests({ code, accessKey, days }, call) {
      const email =
        code === ''
          ? await requireKeyHolder(parts, accessKey, call)
          : (await authorizationOfCode(authorizations, code, call)).email;
      const act = { actor: actors.human, at: call.now, reason: '' };
      const block = newBlock(email, days, act);
      await blocks.put(block, call);
      return { until: block.until ?? undefined, declined: await endPending(parts, email, act, call) };
    },

    async refuseLinks({ accessKey }, call) {
      const email = await requireKeyHolder(parts, accessKey, call);
      if (await blocks.refuseLinks(mailboxOf(email), call)) return {};
      throw new KnowledgeError('invalid_state', 'Requests to this address are not turned off.');
    },

    async allowRequests({ accessKey }, call) {
      await blocks.end(mailboxOf(await requireKeyHolder(parts, accessKey, call)), 'own', call.requestId, call);
      return {};
    },

    async createAccessKey(request, call) {
      const email = requireEmail(request.email);
      if (!(await authorizations.hasConfirmed({ email }, call))) {
        throw new KnowledgeError('not_found', 'This e-mail has no confirmed authorization.');
      }
      const { key, code } = newOpenKey(email, 'org', call.now);
      await keys.insert(key, call);
      return { accessKey: code, expiresAt: key.purgeAt };
    },

    watchEndedAuthorizations: watchEndedAuthorizations(follower),
  };
}

/** Streams the ends of authorizations. Without a cursor it begins at the start of the transition log. */
export function watchEndedAuthorizations(
  log: WatchedLog<LogEntry>,
): Handlers<IdentityServiceService>['watchEndedAuthorizations'] {
  return watchHandler(log, {
    factsOf: (entry) => entry,
    toWire: (entry, cursor) => (endsAccess(entry) ? toWireEnd(entry, cursor) : undefined),
    begin: 'start',
  });
}

function endsAccess({ subject, from, to }: LogEntry): boolean {
  if (subject === 'token') return to === 'expired';
  return (from === 'confirmed' || from === 'issued') && (to === 'revoked' || to === 'erased');
}

function toWireEnd(
  { rootAuthorizationId = '', at, actor, to, withdrawWaiting = to === 'erased' }: LogEntry,
  cursor: string,
): WatchEndedAuthorizationsResponse {
  return { cursor, authorizationId: rootAuthorizationId, endedAt: at, actor, withdrawWaiting };
}
