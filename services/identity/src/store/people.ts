import type { Attribution, CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { Authorization } from '../domain/authorization.js';
import { keptAfterEndMs, type Token } from '../domain/token.js';
import { accessKeysOf } from './access-keys.js';
import { authorizationsOf, toAuthorization, tokensOf, toToken } from './documents.js';

export interface PersonData {
  authorizations: AsyncIterable<Authorization>;
  tokens: AsyncIterable<Token>;
  requesters: AsyncIterable<Omit<Requester, 'authorizationId'>>;
}

/** Exports or erases all data of one person. */
export function createPersonStore(db: Db) {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);
  const keys = accessKeysOf(db);
  return {
    export: (email: string, { signal }: CallContext): PersonData => ({
      authorizations: eachOf(() => authorizations.find({ email }, { signal, sort: oldestFirst }), toAuthorization),
      tokens: eachOf(() => tokens.find({ email }, { signal, sort: oldestFirst }), toToken),
      requesters: eachOf(
        () => requestersOf(db).find({ email }, { signal }),
        (requester) => requester,
      ),
    }),
    /**
     * Removes all data that identifies the person. The remaining documents are deleted when the transition log contains
     * the erasure. Returns the number of authorizations and tokens.
     */
    async erase(
      email: string,
      act: Attribution,
      call: CallContext,
    ): Promise<{ authorizations: number; tokens: number }> {
      // Erases authorizations before tokens, so that no authorization can issue another token meanwhile.
      const requests = await authorizations.updateMany(
        { email },
        erasing(act, blankAuthorization),
        abortable(call.signal),
      );
      const grants = await tokens.updateMany({ email }, erasing(act, blankToken), abortable(call.signal));
      for (const each of [keys, requestersOf(db)]) await each.deleteMany({ email }, abortable(call.signal));
      return { authorizations: requests.modifiedCount, tokens: grants.modifiedCount };
    },
  };
}

const oldestFirst = { createdAt: 1 } as const;

// The query begins with the first item, since an export can end before it comes to this.
async function* eachOf<Document, Item>(find: () => AsyncIterable<Document>, toItem: (document: Document) => Item) {
  for await (const document of find()) yield toItem(document);
}

const blankAuthorization = {
  mailbox: '',
  purpose: '',
  userCode: '',
  userCodeHash: null,
  deviceHashes: [],
  codes: [],
  grant: null,
  renews: null,
  mails: [],
  mailsDueAt: null,
  timerAt: null,
  revision: { $add: ['$revision', 1] },
};

const blankToken = { scopes: [], lastUsedAt: null };

// Removes reasons, since a reason can contain a name. The actors and times stay.
function erasing({ actor, at }: Attribution, blank: Document): Document[] {
  const revision = { $add: [{ $size: '$history' }, 1] };
  const last = { from: '$state', to: 'erased', actor: { $literal: actor }, at, reason: '', revision };
  const former = { $map: { input: '$history', as: 'each', in: { $mergeObjects: ['$$each', { reason: '' }] } } };
  const history = { $concatArrays: [former, [last]] };
  const purgeAt = new Date(at.getTime() + keptAfterEndMs);
  return [{ $set: { ...blank, history, state: 'erased', email: '', agentName: '', logSince: at, purgeAt } }];
}

/** The address and client id of a request. Support uses them if somebody sends unwanted requests. */
export interface Requester {
  authorizationId: string;
  email: string;
  address: string;
  clientId: string;
}

/** Stores requesters for as long as ended authorizations are stored. */
export function createRequesterStore(db: Db) {
  const requesters = requestersOf(db);
  return {
    async put({ authorizationId, ...rest }: Requester, call: CallContext): Promise<void> {
      const purgeAt = new Date(call.now.getTime() + keptAfterEndMs);
      await requesters.replaceOne(
        { _id: authorizationId },
        { ...rest, purgeAt },
        { ...abortable(call.signal), upsert: true },
      );
    },
    async find(ids: readonly string[], { signal, now }: CallContext): Promise<Map<string, Requester>> {
      const found = await requesters.find({ _id: { $in: [...ids] }, purgeAt: { $gt: now } }, { signal }).toArray();
      return new Map(found.map(({ _id, purgeAt: _, ...rest }) => [_id, { authorizationId: _id, ...rest }]));
    },
  };
}

export const requestersOf = (db: Db) =>
  db.collection<Omit<Requester, 'authorizationId'> & { _id: string; purgeAt: Date }>('requesters');
