import { performance } from 'node:perf_hooks';
import type {
  Principal,
  ResolveTokensItem,
  ResolveTokensResult,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import { LRUCache } from 'lru-cache';
import { type CallContext, createCallBatcher, itemContext, requireOutcome } from './calls.js';
import type { Clients } from './clients.js';

/** How long the result of a token check is cached, in milliseconds. */
const cacheMs = 2_000;
const maxCachedBytes = 32 * 1024 * 1024;
/** The estimated memory of a cached token check, without the token itself, in bytes. */
const outcomeBytes = 1_000;

interface CachedOutcome {
  /** The owner, or the message of the refusal. An Error would take much more memory. */
  readonly outcome: Principal | string;
  readonly requestedAt: number;
}

/** Finds the owner of a token. */
export type TokenResolver = ReturnType<typeof createTokenResolver>;

/** Makes the resolver. It caches results for at most 2 s, and queries identity in batches. */
export function createTokenResolver(client: Clients['identity']) {
  const cachedOutcomes = new LRUCache<string, CachedOutcome>({
    maxSize: maxCachedBytes,
    sizeCalculation: (_, token) => token.length + outcomeBytes,
  });
  const cache = (token: string, outcome: Principal | string, requestedAt: number) => {
    // The token is a slice of its header. A copy lets the memory of the whole header be freed.
    cachedOutcomes.set(Buffer.from(token).toString(), { outcome, requestedAt });
  };
  const tokens = createCallBatcher<ResolveTokensItem, ResolveTokensResult>({
    send: async (items, options) => (await client.resolveTokens({ items }, options)).results,
    maxItems: 256,
  });

  return {
    /** Returns the owner of a token. Throws invalid_token, or unavailable if identity does not respond. */
    async resolve(token: string, context: CallContext) {
      const known = cachedOutcomes.get(token);
      const requestedAt = performance.now();
      if (known !== undefined && requestedAt - known.requestedAt <= cacheMs) {
        if (typeof known.outcome === 'string') throw new KnowledgeError('invalid_token', known.outcome);
        return known.outcome;
      }
      try {
        const { outcome } = await tokens.add({ context: itemContext(context), token }, context);
        const principal = requireOutcome(outcome).value;
        cache(token, principal, requestedAt);
        return principal;
      } catch (error) {
        if (hasCode(error, 'invalid_token')) cache(token, error.message, requestedAt);
        throw error;
      }
    },
    /** Removes a revoked token from the cache. */
    forget: (token: string) => void cachedOutcomes.delete(token),
    close: () => tokens.close(),
  };
}
