import type { Attribution } from '@knowledge/runtime';
import {
  boolean,
  type CollectionDeclaration,
  date,
  endIndex,
  exactly,
  listOf,
  number,
  text,
} from '@knowledge/runtime/mongodb';
import { type LogSubject, logSubjects, rules } from '@knowledge/runtime/product';
import { type AppendLog, createAppendLog, timeIndex } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import type { LeasedUnit, TurnName } from '../domain/consume-item.js';
import { type Counter, maxIds } from '../domain/decision.js';
import { type Policy, windowEnd } from '../domain/policy.js';

/** The collection of counters. It can be sharded by a hash of `_id`. */
export const countersName = 'counters';

/** A stored counter. Its `_id` is the key of the charge. */
export interface CounterDocument {
  _id: string;
  /** The start of the window. */
  window: Date;
  /** The granted ids of the window: all of them, or only the most recent ones. */
  grants: string[];
  /** The number of grants, if `grants` does not contain all ids. */
  count?: number;
  /** The time when MongoDB may delete the document. */
  expiresAt: Date;
}

export const counterProjection = { window: 1, grants: 1, count: 1 } as const;

/** The time for which a counter is stored after its window. It is far longer than clocks differ. */
const keptMs = rules.countKeptDays * 86_400_000;

/**
 * Reads a counter. If the limit was higher before, `count` may be lower than the number of ids, but is
 * never too high.
 */
export function toCounter({ window, grants, count = 0 }: Omit<CounterDocument, '_id' | 'expiresAt'>): Counter {
  return { window: window.getTime(), count: Math.max(count, grants.length), grants };
}

export function toDocument(key: string, policy: Policy, { window, count, grants }: Counter): CounterDocument {
  return {
    _id: key,
    window: new Date(window),
    grants: [...grants],
    ...(count > grants.length && { count }),
    expiresAt: new Date(windowEnd(policy.window, window) + keptMs),
  };
}

/**
 * A stored lease. A settled lease has no units. It is in the collection of the counters, so that one command opens a turn
 * and counts its units.
 */
export interface LeaseDocument {
  _id: string;
  turn: number;
  units?: { id: string; keys: string[] }[];
  /** Set while the lease has units. The index of open leases uses it. */
  open?: true;
  /**
   * The time when MongoDB may delete the document. It stays the same all day, so that updates do not
   * change its index.
   */
  expiresAt: Date;
}

const dayMs = 86_400_000;

export function toLease({ id, turn }: TurnName, units: readonly LeasedUnit[], now: number): LeaseDocument {
  const open = units.map(({ id, keys }) => ({ id, keys: [...keys] }));
  const expiresAt = new Date(now - (now % dayMs) + 3 * dayMs);
  return { _id: leaseKey(id), turn, ...(open.length > 0 && { units: open, open: true as const }), expiresAt };
}

// No policy has this name, so no counter has such a key.
const prefix = 'lease:';

export function leaseKey(id: string): string {
  return `${prefix}${id}`;
}

export function leaseIdOf({ _id }: Pick<LeaseDocument, '_id'>): string {
  return _id.slice(prefix.length);
}

/** A log entry: somebody looked at or reset the allowances of a subject, or set a ceiling. */
export interface SubjectEntry extends Attribution {
  readonly position: number;
  readonly subject: LogSubject<'quota'>;
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
const subjectActsName = 'subject_acts';

export function createSubjectLog(db: Db): SubjectLog {
  return createAppendLog(db, subjectActsName);
}

const leaseProperties = {
  turn: { ...number, minimum: 1 },
  units: {
    bsonType: 'array',
    maxItems: 1024,
    items: exactly({ id: text, keys: listOf(text) }),
  },
  open: boolean,
};

/** The collections of counters, leases and the log, with their validators and indexes. */
export const schema: readonly CollectionDeclaration[] = [
  {
    name: countersName,
    validator: {
      $jsonSchema: {
        ...exactly(
          {
            _id: text,
            window: date,
            grants: { bsonType: 'array', maxItems: maxIds, items: text },
            count: { bsonType: 'int', minimum: 1 },
            ...leaseProperties,
            expiresAt: date,
          },
          ['window', 'grants', 'count', ...Object.keys(leaseProperties)],
        ),
        // A counter, or a lease.
        anyOf: [{ required: ['window', 'grants'] }, { required: ['turn'] }],
      },
    },
    // The index `expiresAt` only deletes old documents. The stored window decides what is counted (SECURITY.md#counting).
    indexes: [{ name: 'open', key: { open: 1 }, sparse: true }, endIndex('expiresAt', 'expiresAt')],
  },
  {
    name: subjectActsName,
    validator: {
      $jsonSchema: exactly(
        {
          _id: { ...number, minimum: 1 },
          subject: { enum: [...logSubjects.quota] },
          id: text,
          person: text,
          to: { enum: ['viewed', 'reset', 'set'] },
          before: number,
          limit: number,
          actor: { ...text, minLength: 1 },
          at: date,
          reason: text,
        },
        ['person', 'before', 'limit'],
      ),
    },
    indexes: [timeIndex],
  },
];
