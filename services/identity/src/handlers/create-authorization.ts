import { randomUUID } from 'node:crypto';
import type {
  CreateAuthorizationRequest,
  IdentityServiceService,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { CallContext } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { rules } from '@knowledge/runtime/product';
import { requireSite } from '@knowledge/runtime/wire';
import type { Authorization, UserCodeRule } from '../domain/authorization.js';
import { mailboxOf, requireEmail } from '../domain/email.js';
import { isId } from '../domain/id.js';
import type { AuthorizeLimits } from '../domain/limits.js';
import { type AccessRequest, authorizationIdOf, newAuthorization, requireRepeat } from '../domain/request.js';
import { makeSecret } from '../domain/secret.js';
import { requireAgentName, requirePurpose } from '../domain/text.js';
import { invalidToken, isValid } from '../domain/token.js';
import { userCodeOf } from '../domain/user-code.js';
import { confirmationSubject } from '../mail/confirmation-mail.js';
import type { Asker, AskerStore } from '../store/askers.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import type { TokenStore } from '../store/tokens.js';
import { toWireAuthorization } from './wire-authorization.js';
import { requireScopes } from './wire-enums.js';

/** What it takes to start an authorization. */
export interface CreateAuthorizationParts {
  authorizations: AuthorizationStore;
  tokens: TokenStore;
  limits: AuthorizeLimits;
  wakeOutbox: () => void;
  blocks: BlockStore;
  askers: AskerStore;
  /** Where humans must type the user code. */
  userCodeRule: UserCodeRule;
  /** Which no agent may have as its name. */
  operatorName: string;
  /** What the answer tells of the mail. */
  mail: { from: string; linkMinutes: number };
}

/**
 * Starts an authorization (gateway/PROTOCOL.md#request): validates, counts, then records the request with its mail in
 * one write. The same key again is the same request with one more device code, since the first one is known to nobody
 * but its hash.
 */
export function createAuthorization(
  parts: CreateAuthorizationParts,
): Handlers<IdentityServiceService>['createAuthorization'] {
  const { limits, wakeOutbox } = parts;
  return async (wire, call) => {
    const request = { ...fromWire(wire, parts.operatorName), renewed: await renewedToken(parts, wire, call) };
    const { code, hash } = makeSecret(authorizationIdOf(request.requestKey));
    const unit = {
      kind: request.renewed === undefined ? ('authorization' as const) : ('renewal' as const),
      id: request.requestKey,
      email: request.email,
      address: wire.clientAddress,
    };
    await limits.take(unit, call);
    const authorization = await record(parts, request, hash, call);
    limits.keep(unit);
    await parts.askers.put(askerOf(authorization, wire), call);
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

function askerOf({ id, email }: Authorization, { clientAddress, clientId }: CreateAuthorizationRequest): Asker {
  return { authorizationId: id, email, address: clientAddress.slice(0, 64), clientId: clientId.slice(0, 120) };
}

async function renewedToken({ tokens }: CreateAuthorizationParts, wire: CreateAuthorizationRequest, call: CallContext) {
  const { renewedTokenId: id, email } = wire;
  if (id === '') return undefined;
  const token = isId(id) ? await tokens.find(id, call) : undefined;
  if (token === undefined || !isValid(token, call.now)) throw invalidToken(token);
  if (token.email !== requireEmail(email)) {
    throw new KnowledgeError('validation_error', 'email must be the one that the sent token acts for, to renew it.');
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
  // Who wants no requests hears nothing, and whoever asks sees a human who does not answer. An agent that the human kept may
  // ask to go on.
  const refuses = (await blocks.find(mailboxOf(request.email), call)) !== undefined;
  const blocked = refuses && request.renewed === undefined;
  const options = { deviceHash, mailId: randomUUID(), userCodeRule, blocked, traceparent };
  const made = newAuthorization(request, options, call.now);
  if (await authorizations.insert(made, call)) return made;
  const before = await authorizations.find(made.id, call);
  if (before === undefined) throw new KnowledgeError('unavailable', 'Try again.', { retryAfterSeconds: 1 });
  requireRepeat(before, request, call.now);
  await authorizations.addDevice(made.id, deviceHash, call);
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
