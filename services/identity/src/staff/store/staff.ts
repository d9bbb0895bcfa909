import { type Attribution, type CallContext, type ListPage, type ListPageQuery, toListPage } from '@knowledge/runtime';
import { abortable, afterPosition, type CollectionDeclaration, isDuplicateKey } from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import { date, exactly, hash, optionalDate, purgeIndex, text, uuid } from '../../store/schema.js';
import { endOf, memberKeptMs, type StaffFacts, type StaffSession } from '../domain/session.js';

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

interface StaffMemberStore {
  /** Stores what the provider said at a sign-in, in place of what it said before. */
  put(facts: StaffFacts, call: CallContext): Promise<void>;
  /** Lists up to `size` members by name, after a name. */
  list(after: string, size: number, call: CallContext): Promise<StaffMember[]>;
}

function createStaffMemberStore(db: Db): StaffMemberStore {
  const members = db.collection<MemberDocument>('staff_members');
  return {
    put: async ({ name, displayName, email, roles }, { signal, now }) => {
      const purgeAt = new Date(now.getTime() + memberKeptMs);
      const facts = { displayName, email, roles: [...roles], lastSignedInAt: now, purgeAt };
      await members.replaceOne({ _id: name }, facts, { ...abortable(signal), upsert: true });
    },
    list: async (after, size, { signal, now }) => {
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

/** Stores sign-in codes by their hashes. */
interface SignInCodeStore {
  /** Stores a code, unless one with this hash is stored. Returns the time when the stored one ends. */
  insert(hash: string, code: SignInCode, call: CallContext): Promise<Date>;
  /** Uses a code for a session. A repeat for the same session finds it again for a minute, another one does not. */
  use(hash: string, session: string, call: CallContext): Promise<SignInCode | undefined>;
}

const repeatableMs = 60_000;

function createSignInCodeStore(db: Db): SignInCodeStore {
  const codes = db.collection<CodeDocument>('sign_in_codes');
  return {
    insert: async (hash, { roles, ...code }, { signal }) => {
      const document = { ...code, roles: [...roles] };
      const options = { ...abortable(signal), upsert: true, returnDocument: 'after' } as const;
      const stored = await codes.findOneAndUpdate({ _id: hash }, { $setOnInsert: document }, options);
      return stored?.purgeAt ?? code.purgeAt;
    },
    use: async (hash, session, { signal, now }) => {
      const unused = { $or: [{ usedFor: { $exists: false } }, { usedFor: session }] };
      const filter = { _id: hash, purgeAt: { $gt: now }, ...unused };
      const repeatableUntil = new Date(now.getTime() + repeatableMs);
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

/** Stores the sessions of staff members by the hashes of their secrets. */
interface StaffSessionStore {
  /** Stores a session. If one with this hash is stored, that one is returned. */
  insert(hash: string, session: StaffSession, call: CallContext): Promise<StaffSession>;
  /** Finds an open session, and records at most once a minute that it was used. */
  use(hash: string, call: CallContext): Promise<StaffSession | undefined>;
  /** Finds a session, also one that is over. */
  find(hash: string, call: CallContext): Promise<StaffSession | undefined>;
  /** Ends the session with this hash, if it is open. The actor is its staff member. */
  signOut(hash: string, call: CallContext): Promise<void>;
  /** Ends a session, if it is open. Returns it, or undefined for an unknown id. */
  end(id: string, act: Attribution, call: CallContext): Promise<StaffSession | undefined>;
  /** Lists sessions, newest first. */
  list(filter: { readonly open: boolean }, query: ListPageQuery, call: CallContext): Promise<ListPage<StaffSession>>;
}

const newestFirst = { createdAt: -1, id: -1 } as const;
const seenEveryMs = 60_000;

function createStaffSessionStore(db: Db): StaffSessionStore {
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
    insert: async (hash, session, call) => {
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
    use: async (hash, { signal, now }) => {
      const found = await sessions.findOne({ _id: hash, ...openAt(now) }, { signal });
      if (found === null) return undefined;
      const before = new Date(now.getTime() - seenEveryMs);
      if (found.lastSeenAt < before) {
        await sessions.updateOne({ _id: hash }, { $max: { lastSeenAt: now } }, abortable(signal));
      }
      return toSession(found);
    },
    find,
    signOut: async (hash, call) => {
      const found = await find(hash, call);
      if (found === undefined) return;
      await end({ _id: hash }, { to: 'signed_out', actor: found.name, at: call.now, reason: '' }, call);
    },
    end: async (id, act, call) => {
      await end({ id }, { to: 'ended', ...act }, call);
      const found = await sessions.findOne({ id }, { signal: call.signal });
      return found === null ? undefined : toSession(found);
    },
    list: async ({ open }, { size, after }, { signal, now }) => {
      const found = await sessions
        .find(afterPosition(open ? openAt(now) : {}, newestFirst, after), { signal })
        .sort(newestFirst)
        .limit(size + 1)
        .toArray();
      return toListPage(found.map(toSession), size, ({ createdAt, id }) => ({ at: createdAt, id }));
    },
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

const role = { enum: ['reader', 'support', 'moderator', 'editor', 'administrator'] };
const roles = { bsonType: 'array', minItems: 1, uniqueItems: true, items: role };

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
          endedAt: optionalDate,
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
