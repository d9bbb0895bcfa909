import type { CallContext } from '@knowledge/runtime';
import { idRange, type Page, type PageQuery, toPage } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { expire, type Token } from '../domain/token.js';
import { actors } from '../domain/transition.js';
import { endUpdate } from './change-update.js';
import { tokensOf, toToken } from './documents.js';
import { fallingAfter } from './keyset.js';

/** What resolving a token needs to know of it. */
export type ResolvedToken = Pick<
  Token,
  'hash' | 'id' | 'lineId' | 'email' | 'agentName' | 'scopes' | 'state' | 'expiresAt' | 'lastUsedAt' | 'history'
>;

/** Which tokens to list; one of the two is given. */
export interface TokenFilter {
  email?: string | undefined;
  /** Only those whose id begins so. */
  idPrefix?: string | undefined;
}

/** The tokens. What changes them together with their requests is in `grants.ts`. */
export interface TokenStore {
  /** Finds those of many hashes that are known, in one query; ended ones included. */
  resolve(hashes: readonly string[], call: CallContext): Promise<Map<string, ResolvedToken>>;
  find(id: string, call: CallContext): Promise<Token | undefined>;
  /** Newest first, ended ones included. */
  list(filter: TokenFilter, query: PageQuery, call: CallContext): Promise<Page<Token>>;
  /** The valid one of those that renew each other. */
  validOf(line: Pick<Token, 'email' | 'lineId'>, call: CallContext): Promise<Token | undefined>;
  /** The hashes of those whose time is over and that are not marked so yet. */
  lapsed(limit: number, call: CallContext): Promise<string[]>;
  /** Marks one as expired, if its time is over. */
  expire(hash: string, call: CallContext): Promise<void>;
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
    list: async ({ email, idPrefix }, { size, after }, { signal }) => {
      const whose = email === undefined ? { state: { $ne: 'erased' as const } } : { email };
      const named = idPrefix === undefined ? {} : { id: idRange(idPrefix) };
      const found = await tokens
        .find({ $and: [whose, named, fallingAfter('id', after)] }, { signal })
        .sort({ createdAt: -1, id: -1 })
        .limit(size + 1)
        .toArray();
      return toPage(found.map(toToken), size, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
    validOf: async ({ email, lineId }, { signal, now }) => {
      const document = await tokens.findOne({ email, lineId, state: 'active', expiresAt: { $gt: now } }, { signal });
      return document === null ? undefined : toToken(document);
    },
    lapsed: async (limit, { signal, now }) => {
      const options = { signal, projection: { _id: 1 }, limit } as const;
      const found = await tokens.find({ state: 'active', expiresAt: { $lte: now } }, options).toArray();
      return found.map(({ _id }) => _id);
    },
    expire: async (hash, call) => {
      const document = await tokens.findOne({ _id: hash }, { signal: call.signal });
      const end = document && expire(toToken(document), { actor: actors.system, at: call.now, reason: '' });
      if (end) await tokens.updateOne({ _id: hash, state: 'active' }, endUpdate(end), abortable(call.signal));
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

const resolved = {
  id: 1,
  lineId: 1,
  email: 1,
  agentName: 1,
  scopes: 1,
  state: 1,
  expiresAt: 1,
  lastUsedAt: 1,
  // What ended it.
  history: { $slice: -1 },
} as const;
