import { type Logger, startLoop } from '@knowledge/runtime';
import { abortable, type CollectionDeclaration, date, exactly, number, text } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import {
  type CeilingName,
  ceilingNames,
  maxLimit,
  type Policies,
  type Policy,
  type PolicyName,
} from '../domain/policy.js';

/** A ceiling that an administrator set. */
export interface StoredCeiling {
  /** The largest number of units in one window; 0 switches the ceiling off. */
  readonly limit: number;
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

interface CeilingParts {
  /** The policies with the limits of the configuration. */
  readonly configured: Policies;
  readonly db: Db;
  readonly log: Logger;
}

const ceilingsName = 'ceilings';
const pauseMs = 2_000;

export type Ceilings = ReturnType<typeof followCeilings>;

/**
 * Keeps the limits that administrators set, by the name of the policy. It follows them, so that a change holds in every
 * process after a few seconds.
 */
export function followCeilings({ configured, db, log }: CeilingParts) {
  const ceilings = db.collection<StoredCeiling & { _id: string }>(ceilingsName);
  const policies: Record<PolicyName, Policy> = { ...configured };

  const load = async (signal: AbortSignal): Promise<ReadonlyMap<string, StoredCeiling>> => {
    const found = await ceilings.find({}, { signal }).toArray();
    const stored = new Map(found.map(({ _id, ...ceiling }) => [_id, ceiling]));
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

  return {
    /** All policies with the limits that hold now. Its ceilings change while the process runs. */
    policies: policies as Policies,
    /** The limit of the configuration. */
    configured: (name: CeilingName) => configured[name].limit,
    /** Resolves when what administrators have set was read for the first time. */
    loaded,
    /** Reads what administrators have set. */
    load,
    async set(name: CeilingName, ceiling: StoredCeiling, signal: AbortSignal) {
      await ceilings.replaceOne({ _id: name }, ceiling, { upsert: true, ...abortable(signal) });
    },
    /** Removes a ceiling, so that the limit of the configuration holds again. */
    async remove(name: CeilingName, signal: AbortSignal) {
      await ceilings.deleteOne({ _id: name }, abortable(signal));
    },
    close: () => loop.close(),
  };
}

/** The collection of the ceilings that administrators set, one document for each. */
export const ceilingsSchema: CollectionDeclaration = {
  name: ceilingsName,
  validator: {
    $jsonSchema: exactly({
      _id: { enum: [...ceilingNames] },
      limit: { ...number, minimum: 0, maximum: maxLimit },
      actor: { ...text, minLength: 1 },
      at: date,
      reason: { ...text, minLength: 1 },
    }),
  },
};
