import type { CountTransitions } from '@knowledge/runtime/telemetry';
import {
  createTransitionLog as createLog,
  type TransitionLog as Log,
  type Look as LookAt,
  type TransitionEntry,
} from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { Transition } from '../domain/transition.js';

/** A transition in the log. */
export interface LogEntry extends TransitionEntry<'authorization' | 'token' | 'person'>, Transition {
  /** The authorization that contributions belong to; absent for a person. */
  readonly lineId?: string;
}

export type Look = LookAt<LogEntry['subject']>;
export type TransitionLog = Log<LogEntry>;

/** The log of everything that became of authorizations and tokens. A token's own key is its secret hash. */
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
