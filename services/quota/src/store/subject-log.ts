import type { Attribution } from '@knowledge/runtime';
import { type AppendLog, createAppendLog } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { SubjectKind } from '../domain/policy.js';

/** A log entry: somebody looked at or reset the allowances of a subject. */
export interface SubjectEntry extends Attribution {
  readonly position: number;
  readonly subject: SubjectKind;
  /** The digest of the subject. */
  readonly id: string;
  /** A hash of the e-mail, the same as in other services. Only set if the subject is an e-mail. */
  readonly person?: string;
  readonly to: 'viewed' | 'reset';
}

/** The log of looks at allowances and of resets. All readers see the same order. */
export type SubjectLog = AppendLog<SubjectEntry>;

/** The name of the log's collection. */
export const subjectActsName = 'subject_acts';

export function createSubjectLog(db: Db): SubjectLog {
  return createAppendLog(db, subjectActsName);
}
