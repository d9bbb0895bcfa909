import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { StaffFacts } from '../domain/session.js';

/** What a sign-in code stands for. */
export interface SignInCode extends Pick<StaffFacts, 'name' | 'roles'> {
  readonly madeBy: string;
  readonly purgeAt: Date;
}

/** Stores sign-in codes by their hashes. */
export interface SignInCodeStore {
  /** Stores a code, unless one with this hash is stored. Returns the time when the stored one ends. */
  insert(hash: string, code: SignInCode, call: CallContext): Promise<Date>;
  /** Uses a code for a session. A repeat for the same session finds it again for a minute, another one does not. */
  use(hash: string, session: string, call: CallContext): Promise<SignInCode | undefined>;
}

const repeatableMs = 60_000;

export function createSignInCodeStore(db: Db): SignInCodeStore {
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
