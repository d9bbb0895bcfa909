import { randomUUID } from 'node:crypto';
import type { Status } from '@knowledge/proto/google/rpc/status';
import type {
  GrantAdminServiceService,
  IssueTokenRequest,
  IssueTokenResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type {
  ExchangeDeviceCodeResponse,
  IdentityServiceService,
  Principal,
  ResolveTokensResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import {
  type Attribution,
  actors,
  type CallContext,
  isTokenSecret,
  KnowledgeError,
  mailboxOf,
  refuse,
} from '@knowledge/runtime';
import { type HandlerContext, type Handlers, requireAttribution, toStatus } from '@knowledge/runtime/grpc';
import { rules } from '@knowledge/runtime/product';
import { requireEmail } from '@knowledge/runtime/wire';
import type { Authorization } from '../domain/authorization.js';
import {
  type DirectIssue,
  directIssueId,
  issue,
  issueDirectly,
  readExchange,
  repeatedSecret,
} from '../domain/issue.js';
import { invalidCode } from '../domain/mailed-code.js';
import { hashOf, isUserCode, optionalSecretCode, type SecretCode } from '../domain/secret.js';
import { requireAgentName } from '../domain/text.js';
import { invalidToken, isValid, type Token } from '../domain/token.js';
import type { ResolvedToken } from '../store/tokens.js';
import { changedMeanwhile, type IdentityParts, requireScopes, toWireScopes, toWireToken } from './wire.js';

export function tokenHandlers(
  parts: IdentityParts,
): Pick<Handlers<IdentityServiceService>, 'exchangeDeviceCode' | 'resolveTokens'> {
  return {
    /**
     * Responds to an agent that sends its device code (gateway/PROTOCOL.md#token-exchange). If several calls find a
     * confirmed authorization, one of them issues the token and the others read it.
     */
    async exchangeDeviceCode({ deviceCode }, call) {
      const device = optionalSecretCode(deviceCode);
      if (device === undefined) throw isUserCode(deviceCode) ? userCodeSent() : notWhole();
      for (;;) {
        const authorization = await parts.authorizations.find(device.id, call);
        const exchange = readExchange(authorization, device, call.now);
        switch (exchange.kind) {
          case 'pending':
            if (authorization && (await poll(parts, authorization, call))) return pending(authorization.expiresAt);
            break;
          case 'confirmed': {
            const made = await make(parts, device, call);
            if (made) return issued(made.secret, made.token);
            break;
          }
          case 'issued': {
            const token = await parts.tokens.find(exchange.tokenId, call);
            if (token === undefined || !isValid(token, call.now)) throw invalidCode();
            return issued(exchange.secret, token);
          }
        }
        call.signal.throwIfAborted();
      }
    },

    /**
     * Finds many tokens with one query. A malformed token never reaches the database, so it gets its usual error even in an
     * outage. The other tokens are then `unavailable` (gateway/PROTOCOL.md#tokens, SECURITY.md#tokens-and-secrets).
     */
    async resolveTokens({ items }, call) {
      if (items.length > 256) refuse('items must be at most 256');
      const hashes = items.map(({ token }) => (isTokenSecret(token) ? hashOf(token) : undefined));
      const possible = hashes.filter((hash) => hash !== undefined);
      const found = possible.length === 0 ? nothing : await lookUp(parts, possible, call);
      if (found instanceof KnowledgeError) {
        const outage = toStatus(found);
        return { results: hashes.map((hash) => refused(hash === undefined ? malformed : outage)) };
      }
      return {
        results: hashes.map((hash) => {
          if (hash === undefined) return refused(malformed);
          const token = found.get(hash);
          if (token === undefined) return refused(invalid);
          if (!isValid(token, call.now)) return refused(toStatus(invalidToken(token)));
          parts.uses.note(token, call.now);
          return { outcome: { $case: 'principal', value: principalOf(token) } };
        }),
      };
    },
  };
}

function userCodeSent() {
  return new KnowledgeError(
    'invalid_or_expired_code',
    'This is the user_code, which is for your human. Send token_exchange.device_code instead; the request is still open.',
  );
}

function notWhole() {
  return new KnowledgeError(
    'invalid_or_expired_code',
    'This is no whole device_code: one has 80 characters. Send token_exchange.device_code exactly as it came; your request is not affected.',
  );
}

function make({ grants }: IdentityParts, device: SecretCode, { signal, now, requestId }: CallContext) {
  const act = { actor: actors.agent, at: now, reason: '', requestId };
  return grants.issue(device.id, (authorization) => issue(authorization, device, randomUUID(), act), signal);
}

/**
 * Stores the time of the poll. Returns false if the human has decided meanwhile. Throws if the agent
 * polls too often.
 */
async function poll({ authorizations }: IdentityParts, { id }: Authorization, call: CallContext) {
  if (await authorizations.poll(id, rules.pollSeconds * 1000, call)) return true;
  const now = await authorizations.find(id, call);
  if (now?.state !== 'pending') return false;
  const next = (now.lastPolledAt?.getTime() ?? 0) + rules.pollSeconds * 1000;
  const wait = Math.max(1, Math.ceil((next - call.now.getTime()) / 1000));
  throw new KnowledgeError('rate_limited', `Poll at most once every ${rules.pollSeconds} seconds.`, {
    retryAfterSeconds: wait,
  });
}

function pending(expiresAt: Date): ExchangeDeviceCodeResponse {
  return { outcome: { $case: 'pending', value: { intervalSeconds: rules.pollSeconds, expiresAt } } };
}

function issued(secret: string, token: Token): ExchangeDeviceCodeResponse {
  return { outcome: { $case: 'issued', value: { secret, token: toWireToken(token) } } };
}

type Found = ResolvedToken & { readonly writesBlocked: boolean };

const nothing: ReadonlyMap<string, Found> = new Map();
const invalid = toStatus(invalidToken());
const malformed = toStatus(
  new KnowledgeError(
    'invalid_token',
    'This is no whole token: one begins with cks_ and has 53 characters. It was cut or changed; find the whole one before you ask your human.',
  ),
);

async function lookUp(
  { tokens, blocks }: IdentityParts,
  hashes: string[],
  call: HandlerContext,
): Promise<ReadonlyMap<string, Found> | KnowledgeError> {
  try {
    const found = await tokens.resolve(hashes, call);
    // A token that only reads needs no look at the blocks.
    const writing = [...found.values()].filter(({ scopes }) => scopes.length > 0);
    const mailboxes = [...new Set(writing.map(({ email }) => mailboxOf(email)))];
    const blocked = mailboxes.length === 0 ? new Set() : await blocks.blockedByStaff(mailboxes, call);
    return new Map(
      [...found].map(([hash, token]) => [hash, { ...token, writesBlocked: blocked.has(mailboxOf(token.email)) }]),
    );
  } catch (error) {
    call.log.warn({ err: error }, 'tokens cannot be looked up');
    return new KnowledgeError('unavailable', 'Tokens cannot be checked now; try again.', { retryAfterSeconds: 1 });
  }
}

function refused(error: Status): ResolveTokensResponse['results'][number] {
  return { outcome: { $case: 'error', value: error } };
}

function principalOf({
  id,
  rootAuthorizationId,
  email,
  scopes,
  agentName,
  expiresAt,
  writesBlocked,
}: Found): Principal {
  return {
    tokenId: id,
    email,
    scopes: toWireScopes(scopes),
    agentName,
    expiresAt,
    authorizationId: rootAuthorizationId,
    writesBlocked,
  };
}

/** Issues a token without a confirmation. The same transaction stores the mail to the human. */
export function issueToken(parts: IdentityParts): Handlers<GrantAdminServiceService>['issueToken'] {
  return async (request, call) => {
    const act = requireAttribution(call, request.reason);
    const requested = fromWire(request, parts.operatorName);
    const earlier = await earlierResponse(parts, requested, act, call);
    if (earlier !== undefined) return earlier;
    const { secret, token, authorization } = issueDirectly(requested, act);
    if (await parts.grants.issueDirectly(authorization, token, call.signal)) {
      parts.wakeOutbox();
      return { secret, token: toWireToken(token) };
    }
    // Another call with the same request key was faster, so its token is the response.
    const faster = await earlierResponse(parts, requested, act, call);
    if (faster === undefined) throw changedMeanwhile();
    return faster;
  };
}

function fromWire(request: IssueTokenRequest, operatorName: string): DirectIssue {
  return {
    requestKey: request.requestKey || undefined,
    email: requireEmail(request.email),
    agentName: requireAgentName(request.agentName, operatorName),
    scopes: requireScopes(request.scopes),
  };
}

/** The response to an earlier call with the same request key; undefined if there was no such call. */
async function earlierResponse(
  { authorizations, tokens }: IdentityParts,
  requested: DirectIssue,
  act: Attribution,
  call: CallContext,
): Promise<IssueTokenResponse | undefined> {
  if (requested.requestKey === undefined) return undefined;
  const made = await authorizations.find(directIssueId(requested.requestKey), call);
  if (made === undefined) return undefined;
  const secret = repeatedSecret(made, requested, act);
  const token = await tokens.find(made.grant?.tokenId ?? '', call);
  return token && { secret, token: toWireToken(token) };
}
