import { appendEntry, lastPosition, positionBefore } from '@knowledge/runtime/mongodb';
import type { StoredLog } from '@knowledge/runtime/watch';
import type { Db } from 'mongodb';
import type { SubjectKind } from '../domain/policy.js';

/** What somebody did with the allowances of a subject. */
export interface SubjectAct {
  readonly subject: SubjectKind;
  /** The subject's digest. */
  readonly id: string;
  /** A hash of the e-mail, as the other services keep it; only for an e-mail. */
  readonly person?: string;
  readonly to: 'viewed' | 'reset';
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

/** One entry of the log. */
export interface SubjectEntry extends SubjectAct {
  readonly position: number;
}

/** Who looked at or reset whose allowances, in one order that all readers see. */
export interface SubjectLog extends StoredLog<SubjectEntry> {
  /** Resolves when the act is in the log. */
  record(act: SubjectAct, signal: AbortSignal): Promise<void>;
}

/** The name of the collection. */
export const subjectActsName = 'subject_acts';

type SubjectActDocument = SubjectAct & { _id: number };

/** The log in MongoDB. */
export function createSubjectLog(db: Db): SubjectLog {
  const log = db.collection<SubjectActDocument>(subjectActsName);
  return {
    record: (act, signal) => appendEntry(log, act, signal),
    // Whoever acts writes the log himself.
    collect: async () => false,
    last: (signal) => lastPosition(log, signal),
    before: (since, signal) => positionBefore(log, 'at', since, signal),
    async read(after, most, signal) {
      const found = await log
        .find({ _id: { $gt: after } }, { signal })
        .sort({ _id: 1 })
        .limit(most)
        .toArray();
      return found.map(({ _id, ...act }) => ({ position: _id, ...act }));
    },
  };
}
