import type { CountTransitions } from '@knowledge/runtime/telemetry';
import {
  createTransitionLog as createLog,
  type TransitionLog as Log,
  type AuditRecord as LookAt,
  type TransitionEntry,
} from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { Transition } from '../domain/transition.js';

export interface LogEntry extends TransitionEntry<'authorization' | 'token' | 'person'>, Transition {
  /** The root of the renewal chain, which contributions belong to; absent for a person. */
  readonly lineId?: string;
}

export type Look = LookAt<LogEntry['subject']>;
export type TransitionLog = Log<LogEntry>;

/** The transition log of authorizations and tokens. A token's `_id` is a secret hash, so the log uses its `id`. */
export function createTransitionLog(db: Db, count?: CountTransitions): TransitionLog {
  const fields = { nameField: 'agentName', copied: ['lineId'] };
  return createLog(db, {
    sources: [
      { subject: 'authorization', collection: 'authorizations', ...fields },
      { subject: 'token', collection: 'tokens', idField: 'id', ...fields },
    ],
    deleteErased: true,
    count,
  });
}
