import type { Act, CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { Authorization } from '../domain/authorization.js';
import type { Block } from '../domain/block.js';
import { mailboxOf } from '../domain/email.js';
import { keptAfterEndMs, type Token } from '../domain/token.js';
import { accessKeysOf } from './access-keys.js';
import { type Asker, askersOf } from './askers.js';
import { blocksOf } from './blocks.js';
import { authorizationsOf, toAuthorization, tokensOf, toToken } from './documents.js';

/** Everything that is kept of a person, by their e-mail. */
export interface PersonStore {
  /** Oldest first. */
  export(email: string, call: CallContext): Promise<Kept>;
  /**
   * Blanks everything at once: what is left says nothing of anybody, and goes as soon as the log knows of its end. Gives how
   * many requests and tokens there were.
   */
  erase(email: string, act: Act, call: CallContext): Promise<{ authorizations: number; tokens: number }>;
}

/** What is kept of a person. */
interface Kept {
  authorizations: Authorization[];
  tokens: Token[];
  askers: Omit<Asker, 'authorizationId'>[];
  block: Omit<Block, 'mailbox'> | null;
}

export function createPersonStore(db: Db): PersonStore {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);
  const keys = accessKeysOf(db);
  return {
    export: async (email, { signal }) => {
      const [requests, grants, askers, block] = await Promise.all([
        authorizations.find({ email }, { signal }).sort({ createdAt: 1 }).toArray(),
        tokens.find({ email }, { signal }).sort({ createdAt: 1 }).toArray(),
        askersOf(db).find({ email }, { signal }).toArray(),
        blocksOf(db).findOne({ _id: mailboxOf(email) }, { signal }),
      ]);
      return { authorizations: requests.map(toAuthorization), tokens: grants.map(toToken), askers, block };
    },
    erase: async (email, act, call) => {
      // The requests first: no token can come of them then.
      const requests = await authorizations.updateMany(
        { email },
        erasing(act, blankAuthorization),
        abortable(call.signal),
      );
      const grants = await tokens.updateMany({ email }, erasing(act, blankToken), abortable(call.signal));
      for (const each of [keys, askersOf(db)]) await each.deleteMany({ email }, abortable(call.signal));
      return { authorizations: requests.modifiedCount, tokens: grants.modifiedCount };
    },
  };
}

const blankAuthorization = {
  purpose: '',
  userCode: '',
  userCodeHash: null,
  deviceHashes: [],
  codes: [],
  accessKeyHashes: [],
  grant: null,
  renews: null,
  mails: [],
  mailsDueAt: null,
  timerAt: null,
  revision: { $add: ['$revision', 1] },
};

const blankToken = { scopes: [], lastUsedAt: null };

// What people wrote as a reason may name the person; who decided and when may stay.
function erasing({ actor, at }: Act, blank: Document): Document[] {
  const revision = { $add: [{ $size: '$history' }, 1] };
  const last = { from: '$state', to: 'erased', actor: { $literal: actor }, at, reason: '', revision };
  const former = { $map: { input: '$history', as: 'each', in: { $mergeObjects: ['$$each', { reason: '' }] } } };
  const history = { $concatArrays: [former, [last]] };
  const purgeAt = new Date(at.getTime() + keptAfterEndMs);
  return [{ $set: { ...blank, history, state: 'erased', email: '', agentName: '', logSince: at, purgeAt } }];
}
