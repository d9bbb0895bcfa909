import { type Logger, startLoop } from '@knowledge/runtime';
import { abortable, type CollectionDeclaration } from '@knowledge/runtime/mongodb';
import type { Collection, Db } from 'mongodb';
import {
  type CeilingName,
  ceilingNames,
  maxLimit,
  type Policies,
  type Policy,
  type PolicyName,
} from '../domain/policy.js';

/** The limits that hold now: those that administrators set, else those of the configuration. */
export interface Ceilings {
  /** All policies. Its ceilings change while the process runs. */
  readonly policies: Policies;
  /** The limit of the configuration. */
  configured(name: CeilingName): number;
  /** Resolves when what administrators have set was read for the first time. */
  readonly loaded: Promise<void>;
  /** Reads what administrators have set. */
  load(signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>>;
  close(): Promise<void>;
}

interface CeilingParts {
  readonly configured: Policies;
  readonly store: CeilingStore;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** Follows what administrators set, so that a change holds in every process after a few seconds. */
export function createCeilings({ configured, store, log, pauseMs = 2_000 }: CeilingParts): Ceilings {
  const policies: Record<PolicyName, Policy> = { ...configured };

  const load = async (signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>> => {
    const stored = await store.list(signal);
    for (const name of ceilingNames) {
      const limit = stored.get(name)?.limit ?? configured[name].limit;
      if (policies[name].limit !== limit) policies[name] = { ...configured[name], limit };
    }
    return stored;
  };
  let markLoaded = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    markLoaded = resolve;
  });
  const loop = startLoop({
    name: 'ceilings',
    pauseMs,
    log,
    async round(signal) {
      await load(signal);
      markLoaded();
      return false;
    },
  });

  return { policies, configured: (name) => configured[name].limit, loaded, load, close: () => loop.close() };
}

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
