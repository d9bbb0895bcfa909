import { randomUUID } from 'node:crypto';
import type {
  CreateAuthorizationRequest,
  IdentityServiceService,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { type CallContext, isLargeProvider, KnowledgeError, mailboxOf } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { registrableDomain } from '@knowledge/runtime/names';
import { bounds, rules } from '@knowledge/runtime/product';
import { requireEmail, requireSite } from '@knowledge/runtime/wire';
import type { Authorization } from '../domain/authorization.js';
import { isQuiet } from '../domain/block.js';
import {
  type AccessRequest,
  authorizationIdOf,
  deviceCodeOf,
  newAuthorization,
  requireRepeat,
} from '../domain/request.js';
import { userCodeOf } from '../domain/secret.js';
import { requireAgentName, requirePurpose } from '../domain/text.js';
import { confirmationSubject } from '../mail/confirmation-mail.js';
import { type MailDomainRule, refusedByRule } from '../mail-domains/domain.js';
import type { Requester } from '../store/people.js';
import { changedMeanwhile, type IdentityParts, requireScopes, requireToken, toWireAuthorization } from './wire.js';

/**
 * Starts an authorization (gateway/PROTOCOL.md#request). It checks and counts the request, and then stores the
 * authorization and its mail in one write. The same request key again gives the same response.
 */
export function createAuthorization(parts: IdentityParts): Handlers<IdentityServiceService>['createAuthorization'] {
  const { limits, wakeOutbox } = parts;
  return async (wire, call) => {
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
      await limits.take(unit, call);
      if (rule?.effect === 'limit' && !(await isAdmitted(parts, rule, request.email, call))) {
        throw refusedByRule(rule, call.now);
      }
      authorization = await record(parts, request, { deviceHash: hash, address: wire.clientAddress }, call);
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
  };
}

// A stranger who fills the ceiling of a large provider would shut out everybody else there.
function ceilingDomain(email: string, rule: MailDomainRule | undefined): string | undefined {
  const domain = mailboxOf(email).replace(/^.*@/, '');
  return rule?.effect === 'allow' || isLargeProvider(domain) ? undefined : registrableDomain(domain);
}

async function isAdmitted(
  { authorizations, mailDomains }: IdentityParts,
  rule: MailDomainRule,
  email: string,
  call: CallContext,
): Promise<boolean> {
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
    throw new KnowledgeError('validation_error', 'To renew, email must be the e-mail of the token that you sent.');
  }
  return token;
}

async function record(
  parts: IdentityParts,
  request: AccessRequest,
  { deviceHash, address }: { deviceHash: string; address: string },
  call: CallContext,
): Promise<Authorization> {
  const { authorizations, blocks, userCodeRule } = parts;
  const { traceparent } = call;
  // A blocked mailbox gets no mail, and after a No it has a quiet day. The agent only sees that nobody decides. Neither
  // stops renewals, since the human has not ended the access of that agent.
  const mailbox = mailboxOf(request.email);
  const [{ own, staff, allowedAt }, earlier] = await Promise.all([
    blocks.find(mailbox, call),
    authorizations.decisions(mailbox, call),
  ]);
  const asking = { agentName: request.agentName, address };
  const isUnwanted = own !== undefined || isQuiet(earlier, asking, allowedAt, call.now);
  const blocked = staff !== undefined || (isUnwanted && request.renewed === undefined);
  const options = { deviceHash, mailId: randomUUID(), userCodeRule, blocked, traceparent };
  const made = newAuthorization(request, options, call.now);
  if (await authorizations.insert(made, call)) return made;
  const before = await findRepeat(parts, request, call);
  if (before !== undefined) return before;
  throw changedMeanwhile();
}

/** Finds what an earlier call with the same request key made. */
async function findRepeat(
  { authorizations }: IdentityParts,
  request: AccessRequest,
  call: CallContext,
): Promise<Authorization | undefined> {
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
