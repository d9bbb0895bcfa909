import { randomUUID } from 'node:crypto';
import { type Closable, closeAll, createLogger, deadlineIn } from '@knowledge/runtime';
import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import type { Db } from 'mongodb';
import { afterAll } from 'vitest';
import type { ConsumeItem, LeaseStore, LeaseTurn } from '../domain/consume-item.js';
import { type ItemResult, type Outcome, RefusalCache } from '../domain/decision.js';
import {
  type ConfiguredLimits,
  createPolicies,
  type Now,
  type Policies,
  windowEnd,
  windowStart,
} from '../domain/policy.js';
import { createQuota, type Quota } from '../domain/quota.js';
import { type Charge, createCharge } from '../domain/subject.js';
import { createCeilingPortions } from '../store/ceiling-portions.js';
import { createCounterStore, type OpenCounterStore } from '../store/counter-store.js';
import { createLeaseStore } from '../store/lease-store.js';
import { type CounterDocument, countersName, schema } from '../store/schema.js';

/** A UTC midnight in the future. MongoDB would delete documents with a past window during a test. */
export const midnight = windowEnd('day', windowStart('day', Date.now()));

/** A clock that starts at noon and runs. So midnight comes only if a test sets the clock. */
const sinceNoon: Now = (() => {
  const ahead = midnight + 43_200_000 - Date.now();
  return () => Date.now() + ahead;
})();

/** The counting parts of one process, without gRPC. */
export interface TestQuota {
  readonly quota: Quota;
  readonly store: OpenCounterStore;
  readonly leases: LeaseStore;
  readonly portions: Closable;
  readonly policies: Policies;
}

/** A new database, and as many processes on it as a test needs. */
export interface TestQuotas {
  readonly db: Db;
  /** What is stored of a charge. */
  counter(charge: { readonly key: string }): Promise<CounterDocument | null>;
  open(options?: { now?: Now; limits?: Partial<ConfiguredLimits> }): TestQuota;
}

/** Opens a new database with the schema of the quota service, and drops it after the last test. */
export async function openTestQuotas(name: string): Promise<TestQuotas> {
  const mongo = openTestDatabase(name);
  await applySchema(mongo.db, schema);
  const opened: Closable[] = [mongo];
  afterAll(() => closeAll(opened));
  return {
    db: mongo.db,
    counter: ({ key }) => mongo.db.collection<CounterDocument>(countersName).findOne({ _id: key }),
    open({ now = sinceNoon, limits = {} } = {}) {
      const policies = createPolicies({
        ...{ anonymousPerAddress: 0, authorizePerAddress: 0, authorizePerDomain: 0, authorizePerHour: 0 },
        ...limits,
      });
      const memory = new RefusalCache();
      const store = createCounterStore({ client: mongo.client, db: mongo.db, memory, now });
      const leases = createLeaseStore(mongo.db);
      const portions = createCeilingPortions({
        db: mongo.db,
        now,
        log: createLogger({ name: 'quota', level: 'silent' }),
      });
      opened.push(store, portions);
      return {
        store,
        leases,
        policies,
        portions,
        quota: createQuota({ policies, store, portions, leases, memory, now }),
      };
    },
  };
}

/** Makes an item; the default id is new. */
export function itemOf(charges: ConsumeItem['charges'], id: string = randomUUID()): ConsumeItem {
  return { id, charges, deadline: deadlineIn(15_000) };
}

/** Consumes one item. Throws if the item is not decided. */
export async function consumeOne({ quota }: TestQuota, item: ConsumeItem): Promise<Outcome> {
  const [outcome] = await quota.consume([item], item.deadline);
  if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('There is no outcome.');
  return outcome;
}

export function consumeAll(
  { quota }: TestQuota,
  items: readonly ConsumeItem[],
  turn?: LeaseTurn,
): Promise<readonly ItemResult[]> {
  return quota.consume(items, Date.now() + 15_000, turn);
}

/** The article that a client reads, below the ceiling of its address if one is named. */
export function readItem(process: TestQuota, client: string, address?: string): ConsumeItem {
  const ceilings = address === undefined ? [] : [ceilingOf(process, address)];
  return itemOf([readOf(process, client), ...ceilings]);
}

/** The part of an outcome that says how much is left after a grant. */
export function granted(remaining: number, resetAt?: number): object {
  return { granted: true, allowance: { remaining, ...(resetAt !== undefined && { resetAt }) } };
}

export const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** What quota charges an agent with this client id for one article. */
export function readOf({ policies }: TestQuota, client: string): Charge {
  return createCharge(policies.read_client_id, { kind: 'client_id', value: client });
}

export function ceilingOf({ policies }: TestQuota, address: string): Charge {
  return createCharge(policies.read_address_cap, { kind: 'address', value: address });
}

/** The charge for an article that a mailbox reads. */
export function mailboxReadOf({ policies }: TestQuota, email: string): Charge {
  return createCharge(policies.read_verified_email, { kind: 'email', value: email });
}
