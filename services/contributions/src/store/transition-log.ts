import type { Site, Transition } from '@knowledge/runtime';
import type { LogSubject } from '@knowledge/runtime/product';
import type { CountTransitions } from '@knowledge/runtime/telemetry';
import {
  createTransitionLog as createLog,
  type TransitionLog as Log,
  type TransitionEntry,
} from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';

export interface LogEntry extends TransitionEntry<LogSubject<'contributions'>>, Transition {
  readonly site?: Site;
}

export type TransitionLog = Log<LogEntry>;

/** The transition log of prompts, contributions and canned reasons. The purger deletes erased documents (`personal-data.ts`). */
export function createTransitionLog(db: Db, count?: CountTransitions): TransitionLog {
  return createLog(db, {
    sources: [
      { subject: 'prompt', collection: 'prompts', nameField: 'question', copied: ['site'] },
      { subject: 'contribution', collection: 'contributions', nameField: 'title', copied: ['site'] },
      { subject: 'reason', collection: 'canned_reasons', nameField: 'words', copied: [] },
    ],
    count,
  });
}
