import {
  abortable,
  type CollectionDeclaration,
  date,
  endIndex,
  exactly,
  number,
  text,
} from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';

/** How many subjects used up a limit on one day. */
export interface UsedUpDay {
  /** The UTC day, for example `2026-06-01`. */
  readonly day: string;
  readonly subjects: number;
}

const usedUpName = 'used_up_days';

const keptDays = 30;
const dayMs = 86_400_000;

export type UsedUpDays = ReturnType<typeof createUsedUpDays>;

/** One document a day. Nothing in it says which subjects. */
export function createUsedUpDays(db: Db) {
  const days: Collection<UsedUpDocument> = db.collection(usedUpName);
  return {
    /** Adds numbers of subjects, by the name of the policy. */
    async add(day: string, subjects: ReadonlyMap<string, number>, signal: AbortSignal) {
      const added = Object.fromEntries([...subjects].map(([policy, count]) => [`subjects.${policy}`, count]));
      const expireAt = new Date(Date.parse(day) + (keptDays + 1) * dayMs);
      const change = { $inc: added, $setOnInsert: { expireAt } };
      await days.updateOne({ _id: day }, change, { upsert: true, ...abortable(signal) });
    },
    /** The days by the name of the policy, newest first. */
    async list(signal: AbortSignal): Promise<ReadonlyMap<string, readonly UsedUpDay[]>> {
      const byPolicy = new Map<string, UsedUpDay[]>();
      const found = await days.find({}, { sort: { _id: -1 }, limit: keptDays, signal }).toArray();
      for (const { _id: day, subjects } of found) {
        for (const [policy, count] of Object.entries(subjects)) {
          byPolicy.set(policy, [...(byPolicy.get(policy) ?? []), { day, subjects: count }]);
        }
      }
      return byPolicy;
    },
  };
}

interface UsedUpDocument {
  readonly _id: string;
  readonly subjects: Readonly<Record<string, number>>;
  readonly expireAt: Date;
}

/** The collection of the limits that were used up, one document a day. */
export const usedUpSchema: CollectionDeclaration = {
  name: usedUpName,
  validator: {
    $jsonSchema: exactly({
      _id: text,
      subjects: { bsonType: 'object', additionalProperties: number },
      expireAt: date,
    }),
  },
  indexes: [endIndex('expireAt', 'expireAt')],
};
