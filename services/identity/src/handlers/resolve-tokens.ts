import type { Status } from '@knowledge/proto/google/rpc/status';
import type {
  Principal,
  ResolveTokensRequest,
  ResolveTokensResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import { type HandlerContext, toStatus, type UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { hashOf } from '../domain/secret.js';
import { invalidToken, isValid } from '../domain/token.js';
import { isTokenSecret } from '../domain/token-secret.js';
import type { ResolvedToken, TokenStore } from '../store/tokens.js';
import type { TokenUses } from '../workers/token-uses.js';
import { callOf } from './call.js';
import { toWireScopes } from './wire-scopes.js';

/**
 * Resolves many tokens with one query. What cannot be a token is answered without it, also when the database is away;
 * then the others are `unavailable`, each on its own (gateway/PROTOCOL.md#tokens, SECURITY.md#tokens-and-secrets).
 */
export function handleResolveTokens(
  tokens: TokenStore,
  uses: TokenUses,
  clock: Clock,
): UnaryHandler<ResolveTokensRequest, ResolveTokensResponse> {
  return async ({ items }, context) => {
    if (items.length > 256) throw new KnowledgeError('validation_error', 'items must be at most 256.');
    const hashes = items.map(({ token }) => (isTokenSecret(token) ? hashOf(token) : undefined));
    const asked = hashes.filter((hash) => hash !== undefined);
    const { now, signal } = callOf(context, clock);
    const found = asked.length === 0 ? nothing : await lookUp(tokens, asked, context, { now, signal });
    if (found instanceof KnowledgeError) {
      const outage = toStatus(found);
      return { results: hashes.map((hash) => refused(hash === undefined ? invalid : outage)) };
    }
    return {
      results: hashes.map((hash) => {
        const token = hash === undefined ? undefined : found.get(hash);
        if (token === undefined) return refused(invalid);
        if (!isValid(token, now)) return refused(toStatus(invalidToken(token)));
        uses.note(token, now);
        return { outcome: { $case: 'principal', value: principalOf(token) } };
      }),
    };
  };
}

const nothing: ReadonlyMap<string, ResolvedToken> = new Map();
const invalid = toStatus(invalidToken());

async function lookUp(
  tokens: TokenStore,
  hashes: string[],
  { log }: HandlerContext,
  call: { now: Date; signal: AbortSignal },
): Promise<ReadonlyMap<string, ResolvedToken> | KnowledgeError> {
  try {
    return await tokens.resolve(hashes, call);
  } catch (error) {
    log.warn({ err: error }, 'tokens cannot be looked up');
    return new KnowledgeError('unavailable', 'Tokens cannot be checked now; try again.', { retryAfterSeconds: 1 });
  }
}

function refused(error: Status): ResolveTokensResponse['results'][number] {
  return { outcome: { $case: 'error', value: error } };
}

function principalOf({ id, lineId, email, scopes, agentName, expiresAt }: ResolvedToken): Principal {
  return { tokenId: id, email, scopes: toWireScopes(scopes), agentName, expiresAt, authorizationId: lineId };
}
