import { refuse } from '@knowledge/runtime';
import {
  abortable,
  boolean,
  type CollectionDeclaration,
  count,
  isDuplicateKey,
  listOf,
  objectOf,
  text,
} from '@knowledge/runtime/mongodb';
import { historySchema, logIndex } from '@knowledge/runtime/transition-log';
import type { Db } from 'mongodb';
import { maxReasons, type StoredReason } from './domain.js';

type ReasonDocument = Omit<StoredReason, 'id'> & {
  _id: string;
  /** Set while the transition log may lack transitions of this document; the value is the time of the last one. */
  logSince?: Date;
};

/** Stores canned reasons. It calls `changed` after every write, so that a worker copies their history to the log at once. */
export function createReasonStore(db: Db, changed: () => void) {
  const reasons = db.collection<ReasonDocument>('canned_reasons');

  async function write(stored: StoredReason | undefined, { id, ...next }: StoredReason, signal: AbortSignal) {
    const logSince = next.history.at(-1)?.at as Date;
    if (stored === undefined) {
      await reasons.insertOne({ _id: id, ...next, logSince }, abortable(signal));
      return true;
    }
    const unchanged = { _id: id, revision: stored.revision };
    const { matchedCount } = await reasons.updateOne(unchanged, { $set: { ...next, logSince } }, abortable(signal));
    return matchedCount === 1;
  }

  return {
    /** Lists the reasons that are not deleted, in their order. */
    async list(signal: AbortSignal) {
      const options = { signal, sort: { order: 1, _id: 1 }, limit: maxReasons } as const;
      return (await reasons.find({ deleted: false }, options).toArray()).map(toReason);
    },

    /** Applies a rule by compare-and-set. The rule may run more than once. */
    async change(id: string, decide: (stored: StoredReason | undefined) => StoredReason, signal: AbortSignal) {
      for (;;) {
        signal.throwIfAborted();
        const document = await reasons.findOne({ _id: id }, { signal });
        const stored = document === null ? undefined : toReason(document);
        const next = decide(stored);
        if (next === stored) return next;
        if (stored?.deleted !== false && !next.deleted) await requireRoom(signal);
        try {
          if (await write(stored, next, signal)) {
            changed();
            return next;
          }
        } catch (error) {
          // Somebody else created the reason at the same time. The next round changes it.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },
  };

  async function requireRoom(signal: AbortSignal) {
    if ((await reasons.countDocuments({ deleted: false }, { signal, limit: maxReasons })) < maxReasons) return;
    refuse(`There are ${maxReasons} reasons, which is the most; delete one first`);
  }
}

export type ReasonStore = ReturnType<typeof createReasonStore>;

function toReason({ _id: id, logSince: _, ...reason }: ReasonDocument): StoredReason {
  return { id, ...reason };
}

const reason = {
  _id: text,
  words: text,
  decisions: listOf(text),
  order: count,
  deleted: boolean,
  revision: count,
  history: historySchema,
};

/** The collection of canned reasons. */
export const reasonsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'canned_reasons',
    validator: { $jsonSchema: objectOf(reason) },
    indexes: [logIndex],
  },
];
