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

/** Stores the ceilings that administrators set, by the name of the policy. */
export interface CeilingStore {
  list(signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>>;
  set(name: string, ceiling: StoredCeiling, signal: AbortSignal): Promise<void>;
  /** Removes a ceiling, so that the limit of the configuration holds again. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}

const ceilingsName = 'ceilings';

export function createCeilingStore(db: Db): CeilingStore {
  const ceilings: Collection<StoredCeiling & { _id: string }> = db.collection(ceilingsName);
  return {
    async list(signal) {
      const found = await ceilings.find({}, { signal }).toArray();
      return new Map(found.map(({ _id, ...ceiling }) => [_id, ceiling]));
    },
    async set(name, ceiling, signal) {
      await ceilings.replaceOne({ _id: name }, ceiling, { upsert: true, ...abortable(signal) });
    },
    async remove(name, signal) {
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
