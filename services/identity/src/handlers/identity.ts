import { randomUUID } from 'node:crypto';
import type {
  CreateAuthorizationRequest,
  IdentityServiceService,
  WatchEndedAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import {
  actors,
  type CallContext,
  isLargeProvider,
  isUuid,
  KnowledgeError,
  mailboxOf,
  refuse,
} from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { registrableDomain } from '@knowledge/runtime/names';
import { bounds, rules } from '@knowledge/runtime/product';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import { requireEmail, requireSite } from '@knowledge/runtime/wire';
import { type Authorization, type AuthorizationState, stateAt } from '../domain/authorization.js';
import { newBlock, quietUntil, refusedAfterNo } from '../domain/block.js';
import { newOpenKey } from '../domain/mailed-code.js';
import {
  type AccessRequest,
  authorizationIdOf,
  deviceCodeOf,
  newAuthorization,
  requireRepeat,
} from '../domain/request.js';
import { userCodeOf } from '../domain/secret.js';
import { requireAgentName, requirePurpose } from '../domain/text.js';
import { invalidToken } from '../domain/token.js';
import { confirmationSubject } from '../mail/confirmation-mail.js';
import { type MailDomainRule, refusedByRule } from '../mail-domains/domain.js';
import type { LogEntry } from '../store/open-stores.js';
import type { Requester } from '../store/people.js';
import { accessLinkHandlers, endPending, hasAccessPage, requireKeyHolder } from './access-links.js';
import { authorizationOfCode, confirmationHandlers } from './confirmation.js';
import { tokenHandlers } from './tokens.js';
import {
  changedMeanwhile,
  type IdentityParts,
  requireScopes,
  requireToken,
  toWireAuthorization,
  toWireToken,
} from './wire.js';

export function identityHandlers(parts: IdentityParts): Handlers<IdentityServiceService> {
  const { authorizations, blocks, grants, keys, tokens, limits, follower, wakeOutbox } = parts;
  return {
    /**
     * Starts an authorization (gateway/PROTOCOL.md#request). It checks and counts the request, and then stores the
     * authorization and its mail in one write. The same request key again gives the same response.
     */
    async createAuthorization(wire, call) {
      const request = { ...fromWire(wire, parts.operatorName), renewed: await renewedToken(parts, wire, call) };
      const { code, hash } = deviceCodeOf(request.requestKey);
      const rule = await parts.mailDomains.find(request.email, call);
      const unit = {
        kind: 'authorization' as const,
        id: authorizationIdOf(request.requestKey),
        email: request.email,
        address: wire.clientAddress,
        ...(request.renewed === undefined && { ceilings: { domain: ceilingDomain(request.email, rule) } }),
      };
      // A repeat sends no mail, so it counts in no limit, and works beyond it.
      let authorization = await findRepeat(parts, request, call);
      if (authorization === undefined) {
        if (rule?.effect === 'refuse') throw refusedByRule(rule, call.now);
        // Before the limits, so that it counts in none.
        await refuseAfterNo(parts, request, wire.clientAddress, call);
        await limits.take(unit, call);
        if (rule?.effect === 'limit' && !(await isAdmitted(parts, rule, request.email, call))) {
          throw refusedByRule(rule, call.now);
        }
        authorization = await record(parts, request, hash, call);
      }
      // A repeat finishes what a crash left undone.
      limits.keep(unit);
      await parts.requesters.put(requesterOf(authorization, wire), call);
      wakeOutbox();
      return {
        authorization: toWireAuthorization(authorization, call.now),
        deviceCode: code,
        userCode: userCodeOf(request.requestKey),
        intervalSeconds: rules.pollSeconds,
        email: request.email,
        mailFrom: parts.mail.from,
        mailSubject: confirmationSubject,
        linkMinutes: parts.mail.linkMinutes,
      };
    },

    ...confirmationHandlers(parts),
    ...tokenHandlers(parts),
    ...accessLinkHandlers(parts),

    async getToken({ tokenId }, call) {
      return { token: toWireToken(await requireToken(parts, tokenId, call)) };
    },

    // A repeated call gets the same response as the first, in case that response was lost.
    async revokeToken({ tokenId }, { now, signal, requestId }) {
      const act = { actor: actors.agent, at: now, reason: '', requestId, withdrawWaiting: false };
      const token = isUuid(tokenId) ? await grants.revokeToken(tokenId, act, signal) : undefined;
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

function endsAccess({ subject, from, to }: LogEntry) {
  if (subject === 'token') return to === 'expired';
  return (from === 'confirmed' || from === 'issued') && (to === 'revoked' || to === 'erased');
}

function toWireEnd(
  { rootAuthorizationId = '', at, actor, to, withdrawWaiting = to === 'erased' }: LogEntry,
  cursor: string,
): WatchEndedAuthorizationsResponse {
  return { cursor, authorizationId: rootAuthorizationId, endedAt: at, actor, withdrawWaiting };
}

// A stranger who fills the ceiling of a large provider would shut out everybody else there.
function ceilingDomain(email: string, rule: MailDomainRule | undefined) {
  const domain = mailboxOf(email).replace(/^.*@/, '');
  return rule?.effect === 'allow' || isLargeProvider(domain) ? undefined : registrableDomain(domain);
}

async function isAdmitted(
  { authorizations, mailDomains }: IdentityParts,
  rule: MailDomainRule,
  email: string,
  call: CallContext,
) {
  const isKnown = await authorizations.hasConfirmed({ mailbox: mailboxOf(email) }, call);
  return isKnown || mailDomains.admit(rule, email, call);
}

function requesterOf({ id, email }: Authorization, { clientAddress, clientId }: CreateAuthorizationRequest): Requester {
  return {
    authorizationId: id,
    email,
    address: clientAddress.slice(0, 64),
    clientId: clientId.slice(0, bounds.clientId.max),
  };
}

async function renewedToken(parts: IdentityParts, wire: CreateAuthorizationRequest, call: CallContext) {
  const { renewedTokenId: id, email } = wire;
  if (id === '') return undefined;
  const token = await requireToken(parts, id, call);
  if (token.email !== requireEmail(email)) {
    refuse('To renew, email must be the e-mail of the token that you sent');
  }
  return token;
}

/** Throws in the quiet day after a No, which stops no renewal: its human has not ended the access. A block has its own answer. */
async function refuseAfterNo(
  { authorizations, blocks }: IdentityParts,
  { email, agentName, renewed }: AccessRequest,
  address: string,
  call: CallContext,
) {
  if (renewed !== undefined) return;
  const mailbox = mailboxOf(email);
  const [{ own, staff, allowedAt }, earlier] = await Promise.all([
    blocks.find(mailbox, call),
    authorizations.decisions(mailbox, call),
  ]);
  const until = quietUntil(earlier, { agentName, address }, allowedAt, call.now);
  if (until !== undefined && (own ?? staff) === undefined) throw refusedAfterNo(until, call.now);
}

async function record(parts: IdentityParts, request: AccessRequest, deviceHash: string, call: CallContext) {
  const { authorizations, blocks, userCodeRule } = parts;
  const { traceparent } = call;
  // A blocked mailbox gets no mail, and the agent only sees that nobody decides.
  const blocked = await blocks.refuse({ email: request.email, renews: request.renewed ?? null }, call);
  const options = { deviceHash, mailId: randomUUID(), userCodeRule, blocked, traceparent };
  const made = newAuthorization(request, options, call.now);
  if (await authorizations.insert(made, call)) return made;
  const before = await findRepeat(parts, request, call);
  if (before !== undefined) return before;
  throw changedMeanwhile();
}

/** Finds what an earlier call with the same request key made. */
async function findRepeat({ authorizations }: IdentityParts, request: AccessRequest, call: CallContext) {
  const before = await authorizations.find(authorizationIdOf(request.requestKey), call);
  if (before !== undefined) requireRepeat(before, request, call.now);
  return before;
}

function fromWire(wire: CreateAuthorizationRequest, operatorName: string): AccessRequest {
  return {
    requestKey: wire.requestKey,
    email: requireEmail(wire.email),
    agentName: requireAgentName(wire.agentName, operatorName),
    scopes: requireScopes(wire.scopes),
    purpose: requirePurpose(wire.purpose),
    site: requireSite(wire.site),
  };
}
