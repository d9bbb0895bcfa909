import { randomUUID } from 'node:crypto';
import type {
  CreateAuthorizationRequest,
  IdentityServiceService,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { CallContext } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { bounds, rules } from '@knowledge/runtime/product';
import { requireSite } from '@knowledge/runtime/wire';
import type { Authorization, UserCodeRule } from '../domain/authorization.js';
import { mailboxOf, requireEmail } from '../domain/email.js';
import { isId } from '../domain/id.js';
import type { MailLimits } from '../domain/limits.js';
import {
  type AccessRequest,
  authorizationIdOf,
  deviceCodeOf,
  newAuthorization,
  requireRepeat,
} from '../domain/request.js';
import { requireAgentName, requirePurpose } from '../domain/text.js';
import { invalidToken, isValid } from '../domain/token.js';
import { userCodeOf } from '../domain/user-code.js';
import { confirmationSubject } from '../mail/confirmation-mail.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import type { Requester, RequesterStore } from '../store/requesters.js';
import type { TokenStore } from '../store/tokens.js';
import { toWireAuthorization } from './wire-authorization.js';
import { requireScopes } from './wire-enums.js';

export interface CreateAuthorizationParts {
  authorizations: AuthorizationStore;
  tokens: TokenStore;
  limits: MailLimits;
  wakeOutbox: () => void;
  blocks: BlockStore;
  requesters: RequesterStore;
  userCodeRule: UserCodeRule;
  /** The name of the operator. No agent may use it. */
  operatorName: string;
  /** The facts about the mail that the response contains. */
  mail: { from: string; linkMinutes: number };
}

/**
 * Starts an authorization (gateway/PROTOCOL.md#request). It checks and counts the request, and then stores the
 * authorization and its mail in one write. The same request key again gives the same response.
 */
export function createAuthorization(
  parts: CreateAuthorizationParts,
): Handlers<IdentityServiceService>['createAuthorization'] {
  const { limits, wakeOutbox } = parts;
  return async (wire, call) => {
    const request = { ...fromWire(wire, parts.operatorName), renewed: await renewedToken(parts, wire, call) };
    const { code, hash } = deviceCodeOf(request.requestKey);
    const unit = {
      kind: 'authorization' as const,
      id: authorizationIdOf(request.requestKey),
      email: request.email,
      address: wire.clientAddress,
    };
    // A repeat sends no mail, so it counts in no limit, and works beyond it.
    let authorization = await findRepeat(parts, request, call);
    if (authorization === undefined) {
      await limits.take(unit, call);
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
  };
}

function requesterOf({ id, email }: Authorization, { clientAddress, clientId }: CreateAuthorizationRequest): Requester {
  return {
    authorizationId: id,
    email,
    address: clientAddress.slice(0, 64),
    clientId: clientId.slice(0, bounds.clientId.max),
  };
}

async function renewedToken({ tokens }: CreateAuthorizationParts, wire: CreateAuthorizationRequest, call: CallContext) {
  const { renewedTokenId: id, email } = wire;
  if (id === '') return undefined;
  const token = isId(id) ? await tokens.find(id, call) : undefined;
  if (token === undefined || !isValid(token, call.now)) throw invalidToken(token);
  if (token.email !== requireEmail(email)) {
    throw new KnowledgeError('validation_error', 'To renew, email must be the e-mail of the token that you sent.');
  }
  return token;
}

async function record(
  { authorizations, blocks, userCodeRule }: CreateAuthorizationParts,
  request: AccessRequest,
  deviceHash: string,
  call: CallContext,
): Promise<Authorization> {
  const { traceparent } = call;
  // A blocked mailbox gets no mail. The agent only sees that nobody decides. A human's own block does not stop renewals,
  // since the human has not ended the access of that agent.
  const { own, staff } = await blocks.find(mailboxOf(request.email), call);
  const blocked = staff !== undefined || (own !== undefined && request.renewed === undefined);
  const options = { deviceHash, mailId: randomUUID(), userCodeRule, blocked, traceparent };
  const made = newAuthorization(request, options, call.now);
  if (await authorizations.insert(made, call)) return made;
  const before = await findRepeat({ authorizations }, request, call);
  if (before !== undefined) return before;
  throw new KnowledgeError('unavailable', 'Another call changed this at the same time; try again.', {
    retryAfterSeconds: 1,
  });
}

/** Finds what an earlier call with the same request key made. */
async function findRepeat(
  { authorizations }: Pick<CreateAuthorizationParts, 'authorizations'>,
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
