import { type Attribution, type CallContext, earlier, type ListPageQuery, later } from '@knowledge/runtime';
import {
  abortable,
  type CollectionDeclaration,
  date,
  dateOrNull,
  exactly,
  isDuplicateKey,
  listOf,
  listPage,
  text,
} from '@knowledge/runtime/mongodb';
import { roles as staffRoles } from '@knowledge/runtime/product';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import { hash, purgeIndex, uuid } from '../store/schema.js';
import { endOf, memberKeptMs, type StaffFacts, type StaffSession } from './domain.js';

export type StaffStores = ReturnType<typeof openStaffStores>;

export function openStaffStores(db: Db) {
  return {
    sessions: createStaffSessionStore(db),
    codes: createSignInCodeStore(db),
    members: createStaffMemberStore(db),
  };
}

/** A staff member with the facts of the last sign-in. */
export interface StaffMember extends StaffFacts {
  readonly lastSignedInAt: Date;
}

function createStaffMemberStore(db: Db) {
  const members = db.collection<MemberDocument>('staff_members');
  return {
    /** Stores what the provider said at a sign-in, in place of what it said before. */
    async put({ name, displayName, email, roles }: StaffFacts, { signal, now }: CallContext) {
      const purgeAt = later(now, memberKeptMs);
      const facts = { displayName, email, roles: [...roles], lastSignedInAt: now, purgeAt };
      await members.replaceOne({ _id: name }, facts, { ...abortable(signal), upsert: true });
    },
    /** Lists up to `size` members by name, after a name. */
    async list(after: string, size: number, { signal, now }: CallContext): Promise<StaffMember[]> {
      const filter = { _id: { $gt: after }, purgeAt: { $gt: now } };
      const found = await members.find(filter, { signal, sort: { _id: 1 }, limit: size }).toArray();
      return found.map(({ _id, purgeAt: _, ...facts }) => ({ name: _id, ...facts }));
    },
  };
}

interface MemberDocument extends Omit<StaffMember, 'name'> {
  _id: string;
  purgeAt: Date;
}

/** What a sign-in code stands for. */
interface SignInCode extends Pick<StaffFacts, 'name' | 'roles'> {
  readonly madeBy: string;
  readonly purgeAt: Date;
}

const repeatableMs = 60_000;

/** Stores sign-in codes by their hashes. */
function createSignInCodeStore(db: Db) {
  const codes = db.collection<CodeDocument>('sign_in_codes');
  return {
    /** Stores a code, unless one with this hash is stored. Returns the time when the stored one ends. */
    async insert(hash: string, { roles, ...code }: SignInCode, { signal }: CallContext) {
      const document = { ...code, roles: [...roles] };
      const options = { ...abortable(signal), upsert: true, returnDocument: 'after' } as const;
      const stored = await codes.findOneAndUpdate({ _id: hash }, { $setOnInsert: document }, options);
      return stored?.purgeAt ?? code.purgeAt;
    },
    /** Uses a code for a session. A repeat for the same session finds it again for a minute, another one does not. */
    async use(hash: string, session: string, { signal, now }: CallContext): Promise<SignInCode | undefined> {
      const unused = { $or: [{ usedFor: { $exists: false } }, { usedFor: session }] };
      const filter = { _id: hash, purgeAt: { $gt: now }, ...unused };
      const repeatableUntil = later(now, repeatableMs);
      const use = { $set: { usedFor: session }, $min: { purgeAt: repeatableUntil } };
      return (await codes.findOneAndUpdate(filter, use, abortable(signal))) ?? undefined;
    },
  };
}

interface CodeDocument extends SignInCode {
  _id: string;
  /** The hash of the session that the code started. */
  usedFor?: string;
}

const newestFirst = { createdAt: -1, id: -1 } as const;
const seenEveryMs = 60_000;

/** Stores the sessions of staff members by the hashes of their secrets. */
function createStaffSessionStore(db: Db) {
  const sessions = db.collection<SessionDocument>('staff_sessions');
  const openAt = (now: Date) => ({ endedAt: null, expiresAt: { $gt: now } });

  const end = async (filter: { _id: string } | { id: string }, act: EndAct, { signal, now }: CallContext) => {
    const update = { $set: { endedAt: now, logSince: now }, $push: { history: endOf(act.to, act) } };
    await sessions.updateOne({ ...filter, ...openAt(now) }, update, abortable(signal));
  };

  const find = async (hash: string, { signal }: CallContext): Promise<StaffSession | undefined> => {
    const found = await sessions.findOne({ _id: hash }, { signal });
    return found === null ? undefined : toSession(found);
  };

  return {
    /** Stores a session. If one with this hash is stored, that one is returned. */
    async insert(hash: string, session: StaffSession, call: CallContext) {
      try {
        const document = { ...session, _id: hash, history: [...session.history], logSince: session.createdAt };
        await sessions.insertOne(document, abortable(call.signal));
        return session;
      } catch (error) {
        const stored = isDuplicateKey(error) ? await find(hash, call) : undefined;
        if (stored === undefined) throw error;
        return stored;
      }
    },
    /** Finds an open session, and records at most once a minute that it was used. */
    async use(hash: string, { signal, now }: CallContext): Promise<StaffSession | undefined> {
      const found = await sessions.findOne({ _id: hash, ...openAt(now) }, { signal });
      if (found === null) return undefined;
      const before = earlier(now, seenEveryMs);
      if (found.lastSeenAt < before) {
        await sessions.updateOne({ _id: hash }, { $max: { lastSeenAt: now } }, abortable(signal));
      }
      return toSession(found);
    },
    /** Finds a session, also one that is over. */
    find,
    /** Ends the session with this hash, if it is open. The actor is its staff member. */
    async signOut(hash: string, call: CallContext) {
      const found = await find(hash, call);
      if (found === undefined) return;
      await end({ _id: hash }, { to: 'signed_out', actor: found.name, at: call.now, reason: '' }, call);
    },
    /** Ends a session, if it is open. Returns it, or undefined for an unknown id. */
    async end(id: string, act: Attribution, call: CallContext): Promise<StaffSession | undefined> {
      await end({ id }, { to: 'ended', ...act }, call);
      const found = await sessions.findOne({ id }, { signal: call.signal });
      return found === null ? undefined : toSession(found);
    },
    /** Lists sessions, newest first. */
    list: ({ open }: { readonly open: boolean }, query: ListPageQuery, { signal, now }: CallContext) =>
      listPage(sessions, { filter: open ? openAt(now) : {}, order: newestFirst, toItem: toSession }, query, { signal }),
  };
}

type EndAct = Attribution & { readonly to: 'signed_out' | 'ended' };

interface SessionDocument extends Omit<StaffSession, 'history'> {
  _id: string;
  history: StaffSession['history'][number][];
  logSince?: Date;
}

function toSession({ _id, logSince: _, ...session }: SessionDocument): StaffSession {
  return session;
}

const roles = { ...listOf({ enum: [...staffRoles] }), minItems: 1, uniqueItems: true };

/** The collections of staff members. The shard key of each is the hashed `_id`. */
export const staffSchema: readonly CollectionDeclaration[] = [
  {
    // By the hash of the secret.
    name: 'staff_sessions',
    validator: {
      $jsonSchema: exactly(
        {
          _id: hash,
          id: uuid,
          name: text,
          displayName: text,
          email: text,
          roles,
          createdAt: date,
          expiresAt: date,
          lastSeenAt: date,
          endedAt: dateOrNull,
          history: historySchema,
          purgeAt: date,
          logSince: date,
        },
        ['logSince'],
      ),
    },
    indexes: [{ name: 'id', key: { id: 1 } }, { name: 'newest', key: { createdAt: -1, id: -1 } }, purgeIndex, logIndex],
  },
  {
    // By the hash of the code.
    name: 'sign_in_codes',
    validator: {
      $jsonSchema: exactly({ _id: hash, name: text, roles, madeBy: text, usedFor: text, purgeAt: date }, ['usedFor']),
    },
    indexes: [purgeIndex],
  },
  {
    // By name.
    name: 'staff_members',
    validator: {
      $jsonSchema: exactly({ _id: text, displayName: text, email: text, roles, lastSignedInAt: date, purgeAt: date }),
    },
    indexes: [purgeIndex],
  },
];
