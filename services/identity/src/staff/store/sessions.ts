import { type Attribution, type CallContext, type ListPage, type ListPageQuery, toListPage } from '@knowledge/runtime';
import { abortable, afterPosition, isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { endOf, type StaffSession } from '../domain/session.js';

/** Stores the sessions of staff members by the hashes of their secrets. */
export interface StaffSessionStore {
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

export function createStaffSessionStore(db: Db): StaffSessionStore {
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
