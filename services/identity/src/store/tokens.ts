import type { Db } from 'mongodb';
import { type Page, type PageQuery, toPage } from '../domain/page.js';
import type { Token } from '../domain/token.js';
import type { Call } from './call.js';
import { tokensOf, toToken } from './documents.js';
import { fallingAfter } from './keyset.js';

/** What resolving a token needs to know of it. */
export type ResolvedToken = Pick<
  Token,
  'hash' | 'id' | 'email' | 'agentName' | 'scopes' | 'state' | 'expiresAt' | 'lastUsedAt'
>;

/** The tokens, as they are looked up. What changes them is in `grants.ts`. */
export interface TokenStore {
  /** Finds those of many hashes that are known, in one query; ended ones included. */
  resolve(hashes: readonly string[], call: Call): Promise<Map<string, ResolvedToken>>;
  find(id: string, call: Call): Promise<Token | undefined>;
  /** The tokens of an e-mail, newest first, ended ones included. */
  list(email: string, query: PageQuery, call: Call): Promise<Page<Token>>;
  /** Notes when tokens were last used; best effort, never moves a time back. */
  touch(uses: ReadonlyMap<string, Date>, signal: AbortSignal): Promise<void>;
}

export function createTokenStore(db: Db): TokenStore {
  const tokens = tokensOf(db);
  return {
    resolve: async (hashes, { signal }) => {
      const found = await tokens.find({ _id: { $in: [...hashes] } }, { signal, projection: resolved }).toArray();
      return new Map(found.map(({ _id, ...rest }) => [_id, { hash: _id, ...rest }]));
    },
    find: async (id, { signal }) => {
      const document = await tokens.findOne({ id }, { signal });
      return document === null ? undefined : toToken(document);
    },
    list: async (email, { size, after }, { signal }) => {
      const found = await tokens
        .find({ $and: [{ email }, fallingAfter('id', after)] }, { signal })
        .sort({ createdAt: -1, id: -1 })
        .limit(size + 1)
        .toArray();
      return toPage(found.map(toToken), size, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
    touch: async (uses, signal) => {
      const operations = [...uses].map(([hash, at]) => ({
        updateOne: { filter: { _id: hash, state: 'active' as const }, update: { $max: { lastUsedAt: at } } },
      }));
      const options = { ordered: false, writeConcern: { w: 1 }, signal };
      if (operations.length > 0) await tokens.bulkWrite(operations, options);
    },
  };
}

const resolved = { id: 1, email: 1, agentName: 1, scopes: 1, state: 1, expiresAt: 1, lastUsedAt: 1 } as const;
