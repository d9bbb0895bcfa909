import { actors, type CallContext, idRange, type ListPageQuery } from '@knowledge/runtime';
import { abortable, listPage } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type Authorization, stateAt } from '../domain/authorization.js';
import { expireToken, type Token } from '../domain/token.js';
import { endUpdate, tokensOf, toToken } from './schema.js';

/** The fields of a token that `resolve` reads. */
export type ResolvedToken = Pick<
  Token,
  | 'hash'
  | 'id'
  | 'rootAuthorizationId'
  | 'email'
  | 'agentName'
  | 'scopes'
  | 'state'
  | 'expiresAt'
  | 'lastUsedAt'
  | 'history'
>;

/** A filter for a list of tokens. At least one field must be set. */
export interface TokenFilter {
  email?: string | undefined;
  idPrefix?: string | undefined;
  /** The hash of the token itself. */
  hash?: string | undefined;
}

// Not by `_id`, which is a secret hash.
const newestFirst = { createdAt: -1, id: -1 } as const;

export type TokenStore = ReturnType<typeof createTokenStore>;

/** Stores tokens. Changes that also change authorizations are in `grants.ts`. */
export function createTokenStore(db: Db) {
  const tokens = tokensOf(db);
  return {
    /** Finds tokens by many hashes with one query. The result includes ended tokens. */
    async resolve(hashes: readonly string[], { signal }: CallContext): Promise<Map<string, ResolvedToken>> {
      const found = await tokens.find({ _id: { $in: [...hashes] } }, { signal, projection: resolved }).toArray();
      return new Map(found.map(({ _id, ...rest }) => [_id, { hash: _id, ...rest }]));
    },
    async find(id: string, { signal }: CallContext) {
      const document = await tokens.findOne({ id }, { signal });
      return document === null ? undefined : toToken(document);
    },
    /** Lists tokens, newest first. The list includes ended tokens. */
    async list({ email, idPrefix, hash }: TokenFilter, query: ListPageQuery, { signal }: CallContext) {
      const whose = email === undefined ? { state: { $ne: 'erased' as const } } : { email };
      const named = {
        ...(idPrefix !== undefined && { id: idRange(idPrefix) }),
        ...(hash !== undefined && { _id: hash }),
      };
      const list = { filter: { ...whose, ...named }, order: newestFirst, toItem: toToken };
      return listPage(tokens, list, query, { signal });
    },
    /** Finds the valid token of a renewal chain. */
    async validOf(
      { email, rootAuthorizationId }: Pick<Token, 'email' | 'rootAuthorizationId'>,
      { signal, now }: CallContext,
    ) {
      const document = await tokens.findOne(
        { email, rootAuthorizationId, state: 'active', expiresAt: { $gt: now } },
        { signal },
      );
      return document === null ? undefined : toToken(document);
    },
    /** Whether an agent can act for this person. */
    someValid: async (email: string, { signal, now }: CallContext) =>
      (await tokens.findOne(
        { email, state: 'active', expiresAt: { $gt: now } },
        { signal, projection: { _id: 1 } },
      )) !== null,
    /** Lists the hashes of tokens that have expired but are still stored as active. */
    async listLapsed(limit: number, { signal, now }: CallContext) {
      const options = { signal, projection: { _id: 1 }, limit } as const;
      const found = await tokens.find({ state: 'active', expiresAt: { $lte: now } }, options).toArray();
      return found.map(({ _id }) => _id);
    },
    /** Stores that a token has expired, if its time has passed. */
    async expire(hash: string, call: CallContext) {
      const document = await tokens.findOne({ _id: hash }, { signal: call.signal });
      const end = document && expireToken(toToken(document), { actor: actors.system, at: call.now, reason: '' });
      if (end) await tokens.updateOne({ _id: hash, state: 'active' }, endUpdate(end), abortable(call.signal));
    },
    /** Stores the times of the last uses. A later stored time is kept, and a lost write does no harm. */
    async recordUses(uses: ReadonlyMap<string, Date>, signal: AbortSignal) {
      const operations = [...uses].map(([hash, at]) => ({
        updateOne: { filter: { _id: hash, state: 'active' as const }, update: { $max: { lastUsedAt: at } } },
      }));
      const options = { ordered: false, writeConcern: { w: 1 }, signal };
      if (operations.length > 0) await tokens.bulkWrite(operations, options);
    },
  };
}

const resolved = {
  id: 1,
  rootAuthorizationId: 1,
  email: 1,
  agentName: 1,
  scopes: 1,
  state: 1,
  expiresAt: 1,
  lastUsedAt: 1,
  // Reads only the last transition, which shows who ended the token.
  history: { $slice: -1 },
} as const;

/**
 * The end of the access that this authorization renews. Undefined if that access has ended, or if this authorization is
 * confirmed.
 */
export async function renewedUntil(
  authorization: Authorization,
  tokens: Pick<TokenStore, 'validOf'>,
  call: CallContext,
): Promise<Date | undefined> {
  const { renews, email, rootAuthorizationId } = authorization;
  const state = stateAt(authorization, call.now);
  if (renews === null || state === 'confirmed' || state === 'issued' || state === 'renewed') return undefined;
  return (await tokens.validOf({ email, rootAuthorizationId }, call))?.expiresAt;
}
