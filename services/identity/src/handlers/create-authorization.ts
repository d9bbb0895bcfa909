import { randomUUID } from 'node:crypto';
import type {
  CreateAuthorizationRequest,
  CreateAuthorizationResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import type { Authorization, UserCodeRule } from '../domain/authorization.js';
import { mailboxOf, readEmail } from '../domain/email.js';
import { pollIntervalSeconds } from '../domain/exchange.js';
import { isId } from '../domain/id.js';
import type { AuthorizeLimits } from '../domain/limits.js';
import { type AccessRequest, authorizationIdOf, newAuthorization, requireRepeat } from '../domain/request.js';
import { makeSecret } from '../domain/secret.js';
import { readAgentName, readPurpose } from '../domain/text.js';
import { invalidToken, isValid } from '../domain/token.js';
import { userCodeOf } from '../domain/user-code.js';
import { confirmationSubject } from '../mail/confirmation-mail.js';
import type { Asker, AskerStore } from '../store/askers.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import type { Call } from '../store/call.js';
import type { TokenStore } from '../store/tokens.js';
import { callOf } from './call.js';
import { fromWireSite, presentAuthorization } from './present-authorization.js';
import { fromWireScopes } from './wire-scopes.js';

/** What it takes to start an authorization. */
export interface CreateAuthorizationDeps {
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
  clock: Clock;
}

/**
 * Starts an authorization (gateway/PROTOCOL.md#request): validates, counts, then records the request with its mail in
 * one write. The same key again is the same request with one more device code, since the first one is known to nobody
 * but its hash.
 */
export function handleCreateAuthorization(
  deps: CreateAuthorizationDeps,
): UnaryHandler<CreateAuthorizationRequest, CreateAuthorizationResponse> {
  const { limits, wakeOutbox, clock } = deps;
  return async (wire, context) => {
    const call = callOf(context, clock);
    const request = { ...readRequest(wire, deps.operatorName), renewed: await renewedToken(deps, wire, call) };
    const { code, hash } = makeSecret(authorizationIdOf(request.requestKey));
    const unit = {
      kind: request.renewed === undefined ? ('authorization' as const) : ('renewal' as const),
      id: request.requestKey,
      email: request.email,
      address: wire.clientAddress,
    };
    await limits.take(unit, context);
    const authorization = await record(deps, request, hash, call);
    limits.keep(unit);
    await deps.askers.put(askerOf(authorization, wire), call);
    wakeOutbox();
    return {
      authorization: presentAuthorization(authorization, call.now),
      deviceCode: code,
      userCode: userCodeOf(request.requestKey),
      intervalSeconds: pollIntervalSeconds,
      email: request.email,
      mailFrom: deps.mail.from,
      mailSubject: confirmationSubject,
      linkMinutes: deps.mail.linkMinutes,
    };
  };
}

function askerOf({ id, email }: Authorization, { clientAddress, clientId }: CreateAuthorizationRequest): Asker {
  return { authorizationId: id, email, address: clientAddress.slice(0, 64), clientId: clientId.slice(0, 120) };
}

async function renewedToken({ tokens }: CreateAuthorizationDeps, wire: CreateAuthorizationRequest, call: Call) {
  const { renewedTokenId: id, email } = wire;
  if (id === '') return undefined;
  const token = isId(id) ? await tokens.find(id, call) : undefined;
  if (token === undefined || !isValid(token, call.now)) throw invalidToken(token);
  if (token.email !== readEmail(email)) {
    throw new KnowledgeError('validation_error', 'email must be the one that the sent token acts for, to renew it.');
  }
  return token;
}

async function record(
  { authorizations, blocks, userCodeRule }: CreateAuthorizationDeps,
  request: AccessRequest,
  deviceHash: string,
  call: Call,
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

function readRequest(wire: CreateAuthorizationRequest, operatorName: string): AccessRequest {
  return {
    requestKey: wire.requestKey,
    email: readEmail(wire.email),
    agentName: readAgentName(wire.agentName, operatorName),
    scopes: fromWireScopes(wire.scopes),
    purpose: readPurpose(wire.purpose),
    site: fromWireSite(wire.site),
  };
}
