import { type Attribution, actors, type CallContext, earlier, later, mailboxOf } from '@knowledge/runtime';
import { createMongoOutbox, type MailClaim } from '@knowledge/runtime/mail';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { Authorization } from '../domain/authorization.js';
import { type Block, isOfStaff, type MailboxBlocks } from '../domain/block.js';
import type { AccessKey } from '../domain/mailed-code.js';
import { keptAfterEndMs, type Token } from '../domain/token.js';
import { authorizationsOf, toAuthorization, tokensOf, toToken } from './schema.js';

export interface PersonData {
  authorizations: AsyncIterable<Authorization>;
  tokens: AsyncIterable<Token>;
  links: AsyncIterable<AccessKey>;
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
      links: eachOf(() => keys.find({ email }, { signal, sort: oldestFirst }), toKey),
      requesters: eachOf(
        () => requestersOf(db).find({ email }, { signal }),
        (requester) => requester,
      ),
    }),
    /**
     * Removes all data that identifies the person. The remaining documents are deleted when the transition log contains
     * the erasure. Returns the number of authorizations and tokens.
     */
    async erase(email: string, act: Attribution, call: CallContext) {
      // Erases authorizations before tokens, so that no authorization can issue another token meanwhile.
      const requests = await authorizations.updateMany(
        { email },
        erasing(act, blankAuthorization),
        abortable(call.signal),
      );
      const grants = await tokens.updateMany({ email }, erasing(act, blankToken), abortable(call.signal));
      for (const each of [keys, requestersOf(db)]) await each.deleteMany({ email }, abortable(call.signal));
      // What the human or staff refuse until now holds on.
      const ended = { _id: { $in: idsOf(mailboxOf(email)) }, until: { $lte: call.now } };
      await blocksOf(db).deleteMany(ended, abortable(call.signal));
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
  const purgeAt = later(at, keptAfterEndMs);
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
    /** A repeat of the request leaves who asked first. */
    async put({ authorizationId, ...rest }: Requester, call: CallContext) {
      const $setOnInsert = { ...rest, purgeAt: later(call.now, keptAfterEndMs) };
      await requesters.updateOne(
        { _id: authorizationId },
        { $setOnInsert },
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

export type AccessKeyStore = ReturnType<typeof createAccessKeyStore>;

/** Stores the access keys that belong to no authorization, with the mails that contain them. */
export function createAccessKeyStore(db: Db) {
  const keys = accessKeysOf(db);
  const outbox = createMongoOutbox(keys, { toOwner: toKey });
  const deleteOldest = async (email: string, call: CallContext) => {
    const options = { signal: call.signal, projection: { _id: 1 }, sort: { createdAt: -1, _id: -1 } } as const;
    const old = await keys.find({ email, mailsDueAt: null }, options).skip(mostKeys).limit(mostKeys).toArray();
    if (old.length > 0) await keys.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, abortable(call.signal));
  };
  return {
    ...outbox,
    /**
     * Stores a key, unless the id exists. Only the newest 200 keys of a person are kept, and older ones whose mail still
     * waits.
     */
    async insert({ id, ...rest }: AccessKey, call: CallContext) {
      await keys.updateOne({ _id: id }, { $setOnInsert: rest }, { ...abortable(call.signal), upsert: true });
      await deleteOldest(rest.email, call);
    },
    /** Returns undefined for an unknown or expired key. */
    async find(id: string, { signal, now }: CallContext) {
      const document = await keys.findOne({ _id: id, purgeAt: { $gt: now } }, { signal });
      return document === null ? undefined : toKey(document);
    },
    /** Whether a person has a key of a confirmation or a contribution that has not expired. Strangers cause other mails. */
    async has(email: string, { signal, now }: CallContext) {
      const filter = { email, mails: { $size: 0 }, purgeAt: { $gt: now } };
      return (await keys.findOne(filter, { signal, projection: { _id: 1 } })) !== null;
    },
    /** The newest 200 mails with keys of a person, newest first. */
    async mailsTo(email: string, { signal }: CallContext) {
      const options = { signal, sort: { createdAt: -1, _id: -1 }, limit: mostKeys } as const;
      return (await keys.find({ email, 'mails.0': { $exists: true } }, options).toArray()).flatMap(
        ({ mails }) => mails,
      );
    },
    /** Makes all keys of a person useless but one. Mails that wait get new keys. */
    async endOthers(email: string, id: string, call: CallContext) {
      await keys.updateMany({ email, _id: { $ne: id } }, { $set: { hashes: [] } }, abortable(call.signal));
    },
    /** Adds the hash of the key in one attempt's mail. Returns false if another worker has claimed the mail since. */
    async addHash({ ownerId, mail: { id, attempts } }: MailClaim<AccessKey>, hash: string, signal: AbortSignal) {
      const mails = { $elemMatch: { id, attempts, state: 'pending' as const } };
      const update = { $push: { hashes: { $each: [hash], $slice: -mostHashes } } };
      return (await keys.updateOne({ _id: ownerId, mails }, update, abortable(signal))).matchedCount === 1;
    },
  };
}

type AccessKeyDocument = Omit<AccessKey, 'id'> & { _id: string };

const accessKeysOf = (db: Db) => db.collection<AccessKeyDocument>('access_keys');

/** The number of attempts whose keys work. In 24 hours a mail has fewer (services/runtime/src/mail/outbox.ts). */
const mostHashes = 100;

/** The largest number of keys per person. A very busy person gets 200 mails, each with its own key, in three days. */
const mostKeys = 200;

function toKey({ _id, ...rest }: AccessKeyDocument): AccessKey {
  return { id: _id, ...rest };
}

export function createBlockStore(db: Db) {
  const blocks = blocksOf(db);
  const notEndedAt = async (at: Date, mailboxes: readonly string[], signal: AbortSignal) => {
    const found = await blocks.find({ _id: { $in: mailboxes.flatMap(idsOf) }, ...holds(at) }, { signal }).toArray();
    return found.map(({ _id, purgeAt: _purge, link: _link, ...rest }) => ({
      mailbox: _id.replace(/^staff /, ''),
      ...rest,
    }));
  };
  /** Finds the blocks that have not ended. */
  const find = async (mailbox: string, { signal, now }: CallContext): Promise<MailboxBlocks> => {
    const found = await notEndedAt(earlier(now, dayMs), [mailbox], signal);
    const held = found.filter(({ until }) => until === null || until > now);
    const ended = found.find((each) => !isOfStaff(each) && each.endedBy !== undefined && !held.includes(each));
    const own = held.find((each) => !isOfStaff(each));
    return { own, staff: held.find(isOfStaff), allowedAt: ended?.until ?? undefined };
  };
  return {
    find,
    /** Whether a request gets no mail. A human who turned requests off stops no renewals with it. */
    async refuse({ email, renews }: { readonly email: string; readonly renews: unknown }, call: CallContext) {
      const { own, staff } = await find(mailboxOf(email), call);
      return staff !== undefined || (own !== undefined && renews === null);
    },
    async put({ mailbox, ...rest }: Block, call: CallContext) {
      const _id = isOfStaff(rest) ? staffId(mailbox) : mailbox;
      const update = { $set: { ...rest, purgeAt: rest.until }, $unset: { endedBy: 1 } } as const;
      await blocks.updateOne({ _id }, update, { ...abortable(call.signal), upsert: true });
    },
    /** Returns those of these mailboxes that a staff member has blocked. */
    blockedByStaff: async (mailboxes: readonly string[], call: CallContext): Promise<ReadonlySet<string>> =>
      new Set((await notEndedAt(call.now, mailboxes, call.signal)).filter(isOfStaff).map(({ mailbox }) => mailbox)),
    /**
     * Takes the one link of a week for a mailbox with a block, for the key of this id. Returns false if there is no block,
     * if another link was taken, or if the human wants no more of them.
     */
    async takeLink(mailbox: string, keyId: string, { signal, now }: CallContext) {
      const these = { _id: { $in: idsOf(mailbox) }, ...holds(now) };
      // A mailbox can have two blocks, and the link of one counts for both.
      const other = { 'link.keyId': { $ne: keyId }, 'link.at': { $gt: weekBefore(now) } };
      const none = { $and: [these, { $or: [{ noLinks: true as const }, other] }] };
      if ((await blocks.findOne(none, { signal, projection: { _id: 1 } })) !== null) return false;
      const taken = {
        $or: [{ link: { $exists: false } }, { 'link.keyId': keyId }, { 'link.at': { $lte: weekBefore(now) } }],
      };
      const update = { $set: { link: { at: now, keyId } } };
      return (await blocks.updateMany({ $and: [these, taken] }, update, abortable(signal))).matchedCount > 0;
    },
    /** Lets a mailbox with a block get no more links. Returns false if it has no block. */
    async refuseLinks(mailbox: string, { signal, now }: CallContext) {
      const these = { _id: { $in: idsOf(mailbox) }, ...holds(now) };
      return (await blocks.updateMany(these, { $set: { noLinks: true } }, abortable(signal))).matchedCount > 0;
    },
    /**
     * Ends the block of staff or the human's own. Returns true if there was one, or if the same request ended it
     * within a day.
     */
    async end(mailbox: string, whose: keyof MailboxBlocks, requestId: string, call: CallContext) {
      const { signal, now } = call;
      const ended = { until: now, purgeAt: later(now, dayMs), endedBy: requestId };
      const actor = whose === 'own' ? actors.human : { $ne: actors.human };
      const these = { _id: { $in: idsOf(mailbox) }, actor };
      const update = { $set: ended, $unset: { noLinks: 1 } } as const;
      const { matchedCount } = await blocks.updateMany({ ...these, ...holds(now) }, update, abortable(signal));
      return matchedCount > 0 || (await blocks.findOne({ ...these, endedBy: requestId }, { signal })) !== null;
    },
  };
}

const dayMs = 86_400_000;
const weekBefore = (now: Date) => earlier(now, 7 * dayMs);

const staffId = (mailbox: string) => `staff ${mailbox}`;
const idsOf = (mailbox: string) => [mailbox, staffId(mailbox)];
const holds = (now: Date) => ({ $or: [{ until: null }, { until: { $gt: now } }] });

interface BlockDocument extends Omit<Block, 'mailbox'> {
  /** The mailbox; with `staff ` before it for the block of a staff member. */
  _id: string;
  purgeAt: Date | null;
  /** The id of the request that ended the block. It is stored for a day. */
  endedBy?: string;
  /** When a link was last mailed because of the block alone, and the id of its key. */
  link?: { at: Date; keyId: string };
}

const blocksOf = (db: Db) => db.collection<BlockDocument>('blocks');
