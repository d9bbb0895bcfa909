import { isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import type { LeasedUnit, LeaseStore, Settlement, TurnName } from '../domain/lease.js';
import { durable, releaseUnits, type WriteConcern, writeEach } from './counter-commands.js';
import { type LeaseDocument, leasesName, toLease } from './lease-document.js';
import { untilAnswered } from './until-answered.js';

/** The largest number of open turns in one list. */
const maxListed = 5_000;

export function createLeaseStore(db: Db): LeaseStore {
  const concern = openConcern(db);
  const groups = new SettlementGroups(db);
  return {
    open: (turn, units, signal) => {
      const lease = toLease(turn, units, Date.now());
      return untilAnswered(signal, async () => openTurn(db, lease, signal, await concern(signal)));
    },
    secure: (turn, units, signal) => {
      const lease = toLease(turn, units, Date.now());
      return untilAnswered(signal, () => openTurn(db, lease, signal, durable));
    },
    settle: (settlements, signal) => groups.add(settlements, signal),
    async listOpen(signal) {
      const open = db.collection<LeaseDocument>(leasesName).find({ open: true }, { signal, projection: { turn: 1 } });
      return (await open.limit(maxListed).toArray()).map(({ _id, turn }) => ({ id: _id, turn }));
    },
    giveBack: (turn, signal) => untilAnswered(signal, () => giveBack(db, turn, signal)),
  };
}

/**
 * A replica set has one ordered log, so the count that follows makes the lease durable in passing. The shards of a
 * cluster have a log each.
 */
function openConcern(db: Db): (signal: AbortSignal) => Promise<WriteConcern> {
  let known: WriteConcern | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const { msg } = await db.command({ hello: 1 }, { signal });
    known = msg === 'isdbgrid' ? durable : { w: 1 };
    return known;
  };
}

async function openTurn(
  db: Db,
  { _id, ...lease }: LeaseDocument,
  signal: AbortSignal,
  writeConcern: WriteConcern,
): Promise<void> {
  const updates = [{ q: { _id, turn: { $lt: lease.turn } }, u: lease, upsert: true }];
  const { failed } = await writeEach(db, { update: leasesName, updates }, signal, writeConcern);
  for (const error of failed.values()) {
    // The lease already has this turn or a later one, so there is nothing to open.
    if (!isDuplicateKey(error)) throw error;
  }
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

async function settleTurns(db: Db, settlements: readonly Settlement[], signal: AbortSignal): Promise<void> {
  const updates = settlements.map(({ id, turn, undelivered }) => ({ q: { _id: id, turn }, u: settled(undelivered) }));
  const { failed } = await writeEach(db, { update: leasesName, updates, ordered: false }, signal);
  for (const error of failed.values()) throw error;
}

function settled(undelivered: readonly string[]): Document | Document[] {
  if (undelivered.length === 0) return { $unset: { units: 1, open: 1 } };
  const cond = { $in: ['$$this.id', { $literal: undelivered }] };
  return [{ $set: { units: { $filter: { input: { $ifNull: ['$units', []] }, cond } } } }];
}

async function giveBack(db: Db, { id, turn }: TurnName, signal: AbortSignal): Promise<readonly LeasedUnit[]> {
  const leases = db.collection<LeaseDocument>(leasesName);
  // A lease may not be durable yet (`openConcern`). A majority read would miss it, and its deletion would lose its units.
  const options = { signal, readConcern: { level: 'local' } } as const;
  const { units = [] } = (await leases.findOne({ _id: id, turn, open: true }, options)) ?? {};
  await releaseUnits(db, units, signal);
  await writeEach(db, { delete: leasesName, deletes: [{ q: { _id: id, turn, open: true }, limit: 1 }] }, signal);
  return units;
}
