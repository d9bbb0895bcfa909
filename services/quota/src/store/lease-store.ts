import { isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { LeasedUnit, LeaseStore, Settlement, TurnName } from '../domain/consume-item.js';
import { opening, releaseUnits, untilAnswered, writeEach } from './counter-commands.js';
import { countersName, type LeaseDocument, leaseIdOf, leaseKey, toLease } from './schema.js';

/** The largest number of open turns in one list. */
const maxListed = 5_000;

export function createLeaseStore(db: Db): LeaseStore {
  const groups = new SettlementGroups(db);
  return {
    open: (turn, units, signal) => openTurns(db, [toLease(turn, units, Date.now())], signal),
    settle: (settlements, signal) => groups.add(settlements, signal),
    async listOpen(signal) {
      const options = { signal, projection: { turn: 1 } } as const;
      const open = db.collection<LeaseDocument>(countersName).find({ open: true }, options);
      return (await open.limit(maxListed).toArray()).map(({ turn, ...lease }) => ({ id: leaseIdOf(lease), turn }));
    },
    giveBack: (turn, signal) => untilAnswered(signal, () => giveBack(db, turn, signal)),
  };
}

/** Opens turns by a command of their own. A turn that is open or was replaced stays as it is. */
export async function openTurns(db: Db, leases: readonly LeaseDocument[], signal: AbortSignal): Promise<void> {
  if (leases.length === 0) return;
  const command = { update: countersName, updates: leases.map(opening), ordered: false };
  const { failed } = await untilAnswered(signal, () => writeEach(db, command, signal));
  for (const error of failed.values()) if (!isDuplicateKey(error)) throw error;
}

/** How long settlements wait for others. Nobody waits for them, and leases are given back after many seconds. */
const groupMs = 20;
const maxGroup = 512;

interface Group {
  readonly settlements: Settlement[];
  readonly stored: Promise<void>;
  readonly store: () => void;
}

/** Writes the settlements of many calls together, since a durable commit costs the same whatever is in it. */
class SettlementGroups {
  private open: Group | undefined;

  constructor(private readonly db: Db) {}

  /** Resolves when the settlements are durable. The signal of the first call of a group ends its attempts. */
  add(settlements: readonly Settlement[], signal: AbortSignal): Promise<void> {
    this.open ??= this.begin(signal);
    const { stored, settlements: group, store } = this.open;
    group.push(...settlements);
    if (group.length >= maxGroup) store();
    return stored;
  }

  private begin(signal: AbortSignal): Group {
    const settlements: Settlement[] = [];
    let store = (): void => undefined;
    const isDue = new Promise<void>((resolve) => {
      const timer = setTimeout(() => store(), groupMs);
      store = () => {
        clearTimeout(timer);
        this.open = undefined;
        resolve();
      };
    });
    const stored = isDue.then(() => untilAnswered(signal, () => settleTurns(this.db, settlements, signal)));
    return { settlements, stored, store };
  }
}

async function settleTurns(db: Db, settlements: readonly Settlement[], signal: AbortSignal) {
  const updates = settlements.map(({ id, turn, undelivered }) => ({
    q: { _id: leaseKey(id), turn },
    u: settled(undelivered),
  }));
  const { failed } = await writeEach(db, { update: countersName, updates, ordered: false }, signal);
  for (const error of failed.values()) throw error;
}

function settled(undelivered: readonly string[]): Document | Document[] {
  if (undelivered.length === 0) return { $unset: { units: 1, open: 1 } };
  const cond = { $in: ['$$this.id', { $literal: undelivered }] };
  return [{ $set: { units: { $filter: { input: { $ifNull: ['$units', []] }, cond } } } }];
}

async function giveBack(db: Db, { id, turn }: TurnName, signal: AbortSignal): Promise<readonly LeasedUnit[]> {
  const lease = { _id: leaseKey(id), turn, open: true } as const;
  // A majority read would still see a turn that was settled a moment ago.
  const options = { signal, readConcern: { level: 'local' } } as const;
  const { units = [] } = (await db.collection<LeaseDocument>(countersName).findOne(lease, options)) ?? {};
  await releaseUnits(db, units, signal);
  await writeEach(db, { delete: countersName, deletes: [{ q: lease, limit: 1 }] }, signal);
  return units;
}
