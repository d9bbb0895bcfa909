import { abortable, type CollectionDeclaration } from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';
import { ceilingNames, maxLimit } from '../../domain/policy.js';

/** A ceiling that an administrator set. */
export interface StoredCeiling {
  /** The largest number of units in one window; 0 switches the ceiling off. */
  readonly limit: number;
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

const ceilingsName = 'ceilings';

export type CeilingStore = ReturnType<typeof createCeilingStore>;

/** Stores the ceilings that administrators set, by the name of the policy. */
export function createCeilingStore(db: Db) {
  const ceilings: Collection<StoredCeiling & { _id: string }> = db.collection(ceilingsName);
  return {
    async list(signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>> {
      const found = await ceilings.find({}, { signal }).toArray();
      return new Map(found.map(({ _id, ...ceiling }) => [_id, ceiling]));
    },
    async set(name: string, ceiling: StoredCeiling, signal: AbortSignal): Promise<void> {
      await ceilings.replaceOne({ _id: name }, ceiling, { upsert: true, ...abortable(signal) });
    },
    /** Removes a ceiling, so that the limit of the configuration holds again. */
    async remove(name: string, signal: AbortSignal): Promise<void> {
      await ceilings.deleteOne({ _id: name }, abortable(signal));
    },
  };
}

/** The collection of the ceilings that administrators set, one document for each. */
export const ceilingsSchema: CollectionDeclaration = {
  name: ceilingsName,
  validator: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'limit', 'actor', 'at', 'reason'],
      additionalProperties: false,
      properties: {
        _id: { enum: [...ceilingNames] },
        limit: { bsonType: ['int', 'long', 'double'], minimum: 0, maximum: maxLimit },
        actor: { bsonType: 'string', minLength: 1 },
        at: { bsonType: 'date' },
        reason: { bsonType: 'string', minLength: 1 },
      },
    },
  },
};
