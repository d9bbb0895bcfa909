import { randomUUID } from 'node:crypto';
import { type Closable, closeAll, deadlineIn } from '@knowledge/runtime';
import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import type { Db } from 'mongodb';
import { type Charge, createCharge } from '../domain/charge.js';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { Outcome } from '../domain/decision.js';
import type { LeaseStore } from '../domain/lease.js';
import { type ConfiguredLimits, createPolicies, type Policies } from '../domain/policy.js';
import { createQuota, type Quota } from '../domain/quota.js';
import { RefusalMemory } from '../domain/refusal-memory.js';
import { type Now, windowEnd, windowStart } from '../domain/window.js';
import { createLeaseStore } from '../store/lease-store.js';
import { schema } from '../store/schema.js';
import { createTallyStore, type OpenTallyStore } from '../store/tally-store.js';

/** A midnight to come, UTC. Documents of a past that is long gone would be cleaned up under a test. */
export const midnight = windowEnd('day', windowStart('day', Date.now()));

/** A clock that runs, but starts at noon, so that no test meets a midnight that it did not ask for. */
const sinceNoon: Now = (() => {
  const ahead = midnight + 43_200_000 - Date.now();
  return () => Date.now() + ahead;
})();

/** One process's worth of counting, without the wire. */
export interface TestQuota {
  readonly quota: Quota;
  readonly store: OpenTallyStore;
  readonly leases: LeaseStore;
  readonly policies: Policies;
}

/** A database of its own, and as many processes on it as a test wants. */
export interface TestQuotas {
  readonly db: Db;
  open(options?: { now?: Now; limits?: Partial<ConfiguredLimits> }): TestQuota;
  close(): Promise<void>;
}

/** Opens a fresh database with the schema of the service. */
export async function openTestQuotas(name: string): Promise<TestQuotas> {
  const mongo = openTestDatabase(name);
  await applySchema(mongo.db, schema);
  const opened: Closable[] = [mongo];
  return {
    db: mongo.db,
    open({ now = sinceNoon, limits = {} } = {}) {
      const policies = createPolicies({ anonymousPerAddress: 0, authorizePerAddress: 0, ...limits });
      const memory = new RefusalMemory();
      const store = createTallyStore({ client: mongo.client, db: mongo.db, memory, now });
      const leases = createLeaseStore(mongo.db);
      opened.push(store);
      return { store, leases, policies, quota: createQuota({ policies, store, leases, memory, now }) };
    },
    close: () => closeAll(opened),
  };
}

/** An item of charges, by default with an id of its own. */
export function itemOf(charges: ConsumeItem['charges'], id: string = randomUUID()): ConsumeItem {
  return { id, charges, deadline: deadlineIn(15_000) };
}

/** Consumes one item and expects a decision. */
export async function consumeOne({ quota }: TestQuota, item: ConsumeItem): Promise<Outcome> {
  const [outcome] = await quota.consume([item], item.deadline);
  if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('There is no outcome.');
  return outcome;
}

/** The charge of a client's article read. */
export function readOf({ policies }: TestQuota, client: string): Charge {
  return createCharge(policies.read_client_id, { kind: 'client_id', value: client });
}

/** The charge of an address's ceiling. */
export function ceilingOf({ policies }: TestQuota, address: string): Charge {
  return createCharge(policies.read_address_cap, { kind: 'address', value: address });
}

/** The charge of a mailbox's article read. */
export function mailboxReadOf({ policies }: TestQuota, email: string): Charge {
  return createCharge(policies.read_verified_email, { kind: 'email', value: email });
}
