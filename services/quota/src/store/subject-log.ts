import type { Act } from '@knowledge/runtime';
import { type AppendLog, createAppendLog } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { SubjectKind } from '../domain/policy.js';

/** One entry of the log: what somebody did with the allowances of a subject. */
export interface SubjectEntry extends Act {
  readonly position: number;
  readonly subject: SubjectKind;
  /** The subject's digest. */
  readonly id: string;
  /** A hash of the e-mail, as the other services store it; only for an e-mail. */
  readonly person?: string;
  readonly to: 'viewed' | 'reset';
}

/** Who looked at or reset whose allowances, in one order that all readers see. */
export type SubjectLog = AppendLog<SubjectEntry>;

/** The name of the collection. */
export const subjectActsName = 'subject_acts';

/** The log in MongoDB. */
export function createSubjectLog(db: Db): SubjectLog {
  return createAppendLog(db, subjectActsName);
}
