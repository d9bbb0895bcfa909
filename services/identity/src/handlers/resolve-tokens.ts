import type { Status } from '@knowledge/proto/google/rpc/status';
import type {
  IdentityServiceService,
  Principal,
  ResolveTokensResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { isTokenSecret, KnowledgeError, mailboxOf } from '@knowledge/runtime';
import { type HandlerContext, type Handlers, toStatus } from '@knowledge/runtime/grpc';
import { hashOf } from '../domain/secret.js';
import { invalidToken, isValid } from '../domain/token.js';
import type { BlockStore } from '../store/blocks.js';
import type { ResolvedToken, TokenStore } from '../store/tokens.js';
import type { TokenUses } from '../workers/token-uses.js';
import { toWireScopes } from './wire-enums.js';

export interface ResolveParts {
  tokens: TokenStore;
  blocks: BlockStore;
  uses: TokenUses;
}

/**
 * Finds many tokens with one query. A malformed token never reaches the database, so it gets its usual error even in an
 * outage. The other tokens are then `unavailable` (gateway/PROTOCOL.md#tokens, SECURITY.md#tokens-and-secrets).
 */
export function resolveTokens(parts: ResolveParts): Handlers<IdentityServiceService>['resolveTokens'] {
  return async ({ items }, call) => {
    if (items.length > 256) throw new KnowledgeError('validation_error', 'items must be at most 256.');
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
  };
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
  { tokens, blocks }: ResolveParts,
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
