import type { Db } from 'mongodb';
import { createStaffMemberStore } from './members.js';
import { createStaffSessionStore } from './sessions.js';
import { createSignInCodeStore } from './sign-in-codes.js';

export type StaffStores = ReturnType<typeof openStaffStores>;

export function openStaffStores(db: Db) {
  return {
    sessions: createStaffSessionStore(db),
    codes: createSignInCodeStore(db),
    members: createStaffMemberStore(db),
  };
}
