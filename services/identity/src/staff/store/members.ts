import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { memberKeptMs, type StaffFacts } from '../domain/session.js';

/** A staff member with the facts of the last sign-in. */
export interface StaffMember extends StaffFacts {
  readonly lastSignedInAt: Date;
}

export interface StaffMemberStore {
  /** Stores what the provider said at a sign-in, in place of what it said before. */
  put(facts: StaffFacts, call: CallContext): Promise<void>;
  /** Lists up to `size` members by name, after a name. */
  list(after: string, size: number, call: CallContext): Promise<StaffMember[]>;
}

export function createStaffMemberStore(db: Db): StaffMemberStore {
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
