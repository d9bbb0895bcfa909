import type { CountTransitions } from '@knowledge/runtime/telemetry';
import {
  createTransitionLog as createLog,
  type TransitionLog as Log,
  type TransitionEntry,
} from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { Transition } from '../domain/transition.js';

export interface LogEntry
  extends TransitionEntry<'authorization' | 'token' | 'person' | 'session' | 'mail_domain'>,
    Transition {
  /** The id of the root of the renewal chain, to which contributions refer. Absent for a person and a session. */
  readonly rootAuthorizationId?: string;
}

export type TransitionLog = Log<LogEntry>;

/**
 * The transition log of authorizations, tokens and sessions of staff members. It identifies the last two by their `id`,
 * since the `_id` is a secret hash.
 */
export function createTransitionLog(db: Db, count?: CountTransitions): TransitionLog {
  const fields = { nameField: 'agentName', copied: ['rootAuthorizationId'] };
  return createLog(db, {
    sources: [
      { subject: 'authorization', collection: 'authorizations', ...fields },
      { subject: 'token', collection: 'tokens', idField: 'id', ...fields },
      { subject: 'session', collection: 'staff_sessions', idField: 'id', nameField: 'name', copied: [] },
    ],
    deleteErased: true,
    count,
  });
}
