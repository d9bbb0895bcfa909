import { performance } from 'node:perf_hooks';
import type {
  Principal,
  ResolveTokensItem,
  ResolveTokensResult,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { createBatcher, hasCode, KnowledgeError } from '@knowledge/runtime';
import { fromStatus } from '@knowledge/runtime/grpc';
import { LRUCache } from 'lru-cache';
import { type Asker, together } from './caller.js';
import type { Clients } from './clients.js';

/** Who holds a token. */
export interface Identity {
  /** The identity behind a token. Throws invalid_token, or unavailable where it cannot be asked. */
  resolve(token: string, asker: Asker): Promise<Principal>;
  /** Forgets a token that this gateway itself just revoked. */
  forget(token: string): void;
  close(): void;
}

/** How long the answer about a token is held, in milliseconds. */
const holdMs = 2_000;
const maxHeldBytes = 32 * 1024 * 1024;
/** What an answer takes besides its token. */
const answerBytes = 1_000;

interface Held {
  /** Whose token it is, or why it is refused: an error with its stack and cause would take much more. */
  readonly outcome: Principal | string;
  readonly askedAt: number;
}

/** Makes the gateway's view of tokens: answers are held for at most 2 s, what must be asked travels together. */
export function createIdentity(client: Clients['identity']): Identity {
  const held = new LRUCache<string, Held>({
    maxSize: maxHeldBytes,
    sizeCalculation: (_, token) => token.length + answerBytes,
  });
  const hold = (token: string, outcome: Principal | string, askedAt: number): void => {
    // A copy: the token is a slice of its header, which would be kept whole.
    held.set(Buffer.from(token).toString(), { outcome, askedAt });
  };
  const tokens = createBatcher<ResolveTokensItem, ResolveTokensResult>({
    send: async (items, { deadline, signal }) => {
      return (await client.resolveTokens({ items }, { ...together(items), deadline, signal })).results;
    },
    maxItems: 256,
    maxBytes: 128 * 1024,
    maxInFlight: 2,
    repeatable: true,
  });

  const ask = async (token: string, { id, deadline, traceparent = '' }: Asker): Promise<Principal> => {
    const context = { requestId: id, traceparent, timeout: undefined };
    const { outcome } = await tokens.add({ context, token }, { deadline });
    switch (outcome?.$case) {
      case 'principal':
        return outcome.value;
      case 'error':
        throw fromStatus(outcome.value);
      case undefined:
        throw new KnowledgeError('internal_error', 'An item came back without an answer.');
    }
  };

  return {
    async resolve(token, asker) {
      const known = held.get(token);
      const askedAt = performance.now();
      if (known !== undefined && askedAt - known.askedAt <= holdMs) {
        if (typeof known.outcome === 'string') throw new KnowledgeError('invalid_token', known.outcome);
        return unexpired(known.outcome);
      }
      try {
        const principal = await ask(token, asker);
        hold(token, principal, askedAt);
        return unexpired(principal);
      } catch (error) {
        if (hasCode(error, 'invalid_token')) hold(token, error.message, askedAt);
        throw error;
      }
    },
    forget: (token) => void held.delete(token),
    close: () => tokens.close(),
  };
}

function unexpired(principal: Principal): Principal {
  if (principal.expiresAt !== undefined && principal.expiresAt.getTime() <= Date.now()) {
    throw new KnowledgeError('invalid_token', 'The token has expired; ask the human for a new one.');
  }
  return principal;
}
