import { randomUUID } from 'node:crypto';
import { isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { TextVectorCollections } from './documents.js';

/** The lease of the one process that computes vectors. */
export interface WriterLease {
  /** Takes or renews the lease. Returns whether this process holds it now. */
  hold(signal: AbortSignal): Promise<boolean>;
  /** Gives the lease back, so that another process takes it at once. */
  release(): Promise<void>;
}

/** Longer than a call of the endpoint may take. */
const heldMs = 45_000;

/** Makes the lease. If two processes held it, they would do the same work twice, and nothing worse. */
export function createWriterLease({ leases }: Pick<TextVectorCollections, 'leases'>): WriterLease {
  const holder = randomUUID();
  // Uses the clock of the database, since those of the replicas may differ.
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: heldMs } };
  const free = {
    $or: [{ $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] }, { $eq: ['$holder', holder] }],
  };
  const change = { holder: { $cond: [free, holder, '$holder'] }, until: { $cond: [free, until, '$until'] } };
  return {
    async hold(signal) {
      const options = { upsert: true, returnDocument: 'after', signal } as const;
      try {
        return (await leases.findOneAndUpdate({ _id: 'writer' }, [{ $set: change }], options))?.holder === holder;
      } catch (error) {
        // Two processes created the lease at the same time.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async release() {
      await leases.deleteOne({ _id: 'writer', holder });
    },
  };
}
