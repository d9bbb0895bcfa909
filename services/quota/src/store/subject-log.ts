import type { Attribution } from '@knowledge/runtime';
import { type AppendLog, createAppendLog } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { SubjectKind } from '../domain/policy.js';

/** An entry of the log: who looked at or reset the allowances of a subject. */
export interface SubjectEntry extends Attribution {
  readonly position: number;
  readonly subject: SubjectKind;
  /** The subject's digest. */
  readonly id: string;
  /** A hash of the e-mail, as the other services store it; only for an e-mail. */
  readonly person?: string;
  readonly to: 'viewed' | 'reset';
}

/** The log of looks at allowances and of resets, in one order for all readers. */
export type SubjectLog = AppendLog<SubjectEntry>;

/** The name of the collection. */
export const subjectActsName = 'subject_acts';

export function createSubjectLog(db: Db): SubjectLog {
  return createAppendLog(db, subjectActsName);
}
