import { randomUUID } from 'node:crypto';
import type {
  ExchangeDeviceCodeResponse,
  IdentityServiceService,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { CallContext } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { rules } from '@knowledge/runtime/product';
import type { Authorization } from '../domain/authorization.js';
import { issue, readExchange } from '../domain/exchange.js';
import { invalidCode } from '../domain/mailed-code.js';
import { optionalSecretCode, type SecretCode } from '../domain/secret.js';
import { isValid, type Token } from '../domain/token.js';
import { actors } from '../domain/transition.js';
import { isUserCode } from '../domain/user-code.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { GrantStore } from '../store/grants.js';
import type { TokenStore } from '../store/tokens.js';
import { toWireToken } from './wire-authorization.js';

export interface ExchangeParts {
  authorizations: AuthorizationStore;
  grants: GrantStore;
  tokens: TokenStore;
}

/**
 * Responds to an agent that sends its device code (gateway/PROTOCOL.md#token-exchange). If several calls find a
 * confirmed authorization, one of them issues the token and the others read it.
 */
export function exchangeDeviceCode(parts: ExchangeParts): Handlers<IdentityServiceService>['exchangeDeviceCode'] {
  return async ({ deviceCode }, call) => {
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
  };
}

function userCodeSent(): KnowledgeError {
  return new KnowledgeError(
    'invalid_or_expired_code',
    'This is the user_code, which is for your human. Send token_exchange.device_code instead; the request is still open.',
  );
}

function notWhole(): KnowledgeError {
  return new KnowledgeError(
    'invalid_or_expired_code',
    'This is no whole device_code: one has 80 characters. Send token_exchange.device_code exactly as it came; your request is not affected.',
  );
}

function make({ grants }: ExchangeParts, device: SecretCode, { signal, now, requestId }: CallContext) {
  const act = { actor: actors.agent, at: now, reason: '', requestId };
  return grants.issue(device.id, (authorization) => issue(authorization, device, randomUUID(), act), signal);
}

/**
 * Stores the time of the poll. Returns false if the human has decided meanwhile. Throws if the agent
 * polls too often.
 */
async function poll({ authorizations }: ExchangeParts, { id }: Authorization, call: CallContext): Promise<boolean> {
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
