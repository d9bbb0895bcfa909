import type { CallContext } from '@knowledge/runtime';
import { createMongoOutbox, type MailClaim, type OutboxStore } from '@knowledge/runtime/mail';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { AccessKey } from '../domain/access-key.js';

/** Stores the access keys that belong to no authorization, with the mails that contain them. */
export interface AccessKeyStore extends OutboxStore<AccessKey> {
  /**
   * Stores a key, unless the id exists. Only the newest 200 keys of a person are kept, and older ones whose mail still
   * waits.
   */
  insert(key: AccessKey, call: CallContext): Promise<void>;
  /** Returns undefined for an unknown or expired key. */
  find(id: string, call: CallContext): Promise<AccessKey | undefined>;
  /** Whether a person has a key of a confirmation or a contribution that has not expired. Strangers cause other mails. */
  has(email: string, call: CallContext): Promise<boolean>;
  /** The newest 200 mails with keys of a person, newest first. */
  mailsTo(email: string, call: CallContext): Promise<AccessKey['mails']>;
  /** Makes all keys of a person useless but one. Mails that wait get new keys. */
  endOthers(email: string, id: string, call: CallContext): Promise<void>;
  /** Adds the hash of the key in one attempt's mail. Returns false if another worker has claimed the mail since. */
  addHash(claim: MailClaim<AccessKey>, hash: string, signal: AbortSignal): Promise<boolean>;
}

export function createAccessKeyStore(db: Db): AccessKeyStore {
  const keys = accessKeysOf(db);
  const outbox = createMongoOutbox(keys, { toOwner: toKey });
  const deleteOldest = async (email: string, call: CallContext): Promise<void> => {
    const options = { signal: call.signal, projection: { _id: 1 }, sort: { createdAt: -1, _id: -1 } } as const;
    const old = await keys.find({ email, mailsDueAt: null }, options).skip(mostKeys).limit(mostKeys).toArray();
    if (old.length > 0) await keys.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } }, abortable(call.signal));
  };
  return {
    insert: async ({ id, ...rest }, call) => {
      await keys.updateOne({ _id: id }, { $setOnInsert: rest }, { ...abortable(call.signal), upsert: true });
      await deleteOldest(rest.email, call);
    },
    find: async (id, { signal, now }) => {
      const document = await keys.findOne({ _id: id, purgeAt: { $gt: now } }, { signal });
      return document === null ? undefined : toKey(document);
    },
    has: async (email, { signal, now }) => {
      const filter = { email, mails: { $size: 0 }, purgeAt: { $gt: now } };
      return (await keys.findOne(filter, { signal, projection: { _id: 1 } })) !== null;
    },
    mailsTo: async (email, { signal }) => {
      const options = { signal, sort: { createdAt: -1, _id: -1 }, limit: mostKeys } as const;
      return (await keys.find({ email, 'mails.0': { $exists: true } }, options).toArray()).flatMap(
        ({ mails }) => mails,
      );
    },
    endOthers: async (email, id, call) => {
      await keys.updateMany({ email, _id: { $ne: id } }, { $set: { hashes: [] } }, abortable(call.signal));
    },
    addHash: async ({ ownerId, mail: { id, attempts } }, hash, signal) => {
      const mails = { $elemMatch: { id, attempts, state: 'pending' as const } };
      const update = { $push: { hashes: { $each: [hash], $slice: -mostHashes } } };
      return (await keys.updateOne({ _id: ownerId, mails }, update, abortable(signal))).matchedCount === 1;
    },
    ...outbox,
  };
}

type AccessKeyDocument = Omit<AccessKey, 'id'> & { _id: string };

export const accessKeysOf = (db: Db) => db.collection<AccessKeyDocument>('access_keys');

/** The number of attempts whose keys work. In 24 hours a mail has fewer (services/runtime/src/mail/outbox.ts). */
const mostHashes = 100;

/** The largest number of keys per person. A very busy person gets 200 mails, each with its own key, in three days. */
const mostKeys = 200;

function toKey({ _id, ...rest }: AccessKeyDocument): AccessKey {
  return { id: _id, ...rest };
}
