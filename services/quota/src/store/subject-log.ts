import type { Attribution } from '@knowledge/runtime';
import { type AppendLog, createAppendLog } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { SubjectKind } from '../domain/policy.js';

/** A log entry: somebody looked at or reset the allowances of a subject, or set a ceiling. */
export interface SubjectEntry extends Attribution {
  readonly position: number;
  readonly subject: SubjectKind | 'ceiling';
  /** The digest of the subject, or the policy of the ceiling. */
  readonly id: string;
  /** A hash of the e-mail, the same as in other services. Only set if the subject is an e-mail. */
  readonly person?: string;
  readonly to: 'viewed' | 'reset' | 'set';
  /** The units of a ceiling, before and now. Only set for a ceiling. */
  readonly before?: number;
  readonly limit?: number;
}

/** The log of looks at allowances, of resets and of ceilings. All readers see the same order. */
export type SubjectLog = AppendLog<SubjectEntry>;

/** The name of the log's collection. */
export const subjectActsName = 'subject_acts';

export function createSubjectLog(db: Db): SubjectLog {
  return createAppendLog(db, subjectActsName);
}
