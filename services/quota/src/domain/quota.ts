import { deadlineSignal, KnowledgeError, remainingMs } from '@knowledge/runtime';
import {
  type ConsumeItem,
  fitsPipeline,
  fitsPortions,
  fromCache,
  grantUncounted,
  type LeasedUnit,
  type LeaseStore,
  type LeaseTurn,
  withCountingCharges,
} from './consume-item.js';
import { allowanceOf, type Counter, type ItemResult, type RefusalCache } from './decision.js';
import type { Now, Policies } from './policy.js';
import { type Charge, createCharge, createCharges, type Subject } from './subject.js';

/**
 * Decides items. Returns one result for each item, in the same order. A turn is stored before any of them is counted, so
 * that the items are counted under it.
 */
type Consume = (items: readonly ConsumeItem[], deadline: number, turn?: LeaseTurn) => Promise<readonly ItemResult[]>;

/** Stores counters in a database. */
export interface CounterStore {
  /** Decides items by one conditional write of their own charge. */
  consumeByPipeline: Consume;
  /** Decides any items, by transaction where that is needed. All charges of an item are taken, or none. */
  consumeByTransaction: Consume;
  /** Reads the existing counters of these keys. */
  read(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Counter>>;
  /** Empties the counters and keeps their windows. */
  reset(keys: readonly string[], signal: AbortSignal): Promise<void>;
}

type Settle = (isGranted: boolean) => void;

/** Counts ceilings in memory (`fitsPortions`). */
export interface CeilingPortions {
  /**
   * Takes one unit of each ceiling. Undefined if one of them is near its end, or has too much that is not stored. The
   * caller says whether the reader's own unit was granted. If not, the units are given back.
   */
  take(item: ConsumeItem): Settle | undefined;
  /** Drops what it knows of counters that a reset emptied. */
  forget(keys: readonly string[]): void;
}

interface QuotaParts {
  policies: Policies;
  store: CounterStore;
  portions: CeilingPortions;
  leases: Pick<LeaseStore, 'open'>;
  memory: RefusalCache;
  now: Now;
}

export type Quota = ReturnType<typeof createQuota>;

export function createQuota({ policies, store, portions, leases, memory, now }: QuotaParts) {
  const peek = async (charges: readonly Charge[], signal: AbortSignal) => {
    const keys = [...new Set(charges.map(({ key }) => key))];
    const stored = await store.read(keys, signal);
    return charges.map(({ policy, key }) => allowanceOf(policy, stored.get(key), now()));
  };

  const chargesOf = (subject: Subject): Charge[] => {
    const counting = Object.values(policies).filter(({ kind }) => kind === subject.kind);
    return counting.map((policy) => createCharge(policy, subject));
  };

  return {
    /** Decides each item separately, under a lease if one is given. Items that are errors stay errors. Never rejects. */
    async consume(
      items: readonly (ConsumeItem | KnowledgeError)[],
      deadline: number,
      lease?: LeaseTurn,
    ): Promise<readonly ItemResult[]> {
      const outcomes: ItemResult[] = new Array(items.length);
      const single = new Selection(outcomes);
      const joint = new Selection(outcomes);
      const taken: [place: number, settle: Settle][] = [];
      const time = now();
      for (const [place, item] of items.entries()) {
        if (item instanceof KnowledgeError) {
          outcomes[place] = item;
          continue;
        }
        if (remainingMs(item.deadline) === 0) {
          outcomes[place] = undecided();
          continue;
        }
        const counted = withCountingCharges(item);
        const known = counted === undefined ? grantUncounted(item, time) : fromCache(counted, memory, time);
        if (known !== undefined) outcomes[place] = known;
        else if (counted !== undefined) {
          const settle = fitsPortions(counted) ? portions.take(counted) : undefined;
          if (settle === undefined) (fitsPipeline(counted) ? single : joint).add(counted, place);
          else {
            taken.push([place, settle]);
            single.add({ ...counted, charges: [counted.charges[0]] }, place);
          }
        }
      }
      const settlePortions = () => {
        for (const [place, settle] of taken) {
          const outcome = outcomes[place];
          settle(outcome !== undefined && !(outcome instanceof KnowledgeError) && outcome.granted);
        }
      };
      const filled = [single, joint].filter(({ isEmpty }) => !isEmpty);
      const opensFirst = lease !== undefined && (filled.length > 1 || (filled.length === 0 && lease.settlesEarlier));
      if (opensFirst) {
        // Without a stored lease, nothing would give back its units.
        const failure = await openLease(leases, lease, [...single.units(), ...joint.units()], deadline);
        if (failure !== undefined) {
          for (const place of outcomes.keys()) outcomes[place] = failure;
          settlePortions();
          return outcomes;
        }
      }
      const turn = opensFirst ? undefined : lease;
      await Promise.all([
        single.decide(store.consumeByPipeline, deadline, turn),
        joint.decide(store.consumeByTransaction, deadline, turn),
      ]);
      settlePortions();
      return outcomes;
    },
    /** The allowance of each charge. It counts nothing. */
    peek,
    /** The allowances of a subject under all policies for its kind. */
    show: async (subject: Subject, signal: AbortSignal) => peek(chargesOf(subject), signal),
    /** Resets all counters of a subject. Other processes may refuse it from their cache for a few more seconds. */
    async reset(subject: Subject, signal: AbortSignal) {
      const charges = chargesOf(subject);
      const keys = charges.flatMap(({ policy }) => createCharges(policy, subject)).map(({ key }) => key);
      // The cache is cleared even if the reset fails, since the counters may have been reset.
      await store.reset(keys, signal).finally(() => {
        memory.forget(keys);
        portions.forget(keys);
      });
      return peek(charges, signal);
    },
  };
}

async function openLease(
  leases: Pick<LeaseStore, 'open'>,
  lease: LeaseTurn,
  units: readonly LeasedUnit[],
  deadline: number,
) {
  const { signal, clear } = deadlineSignal(deadline);
  try {
    await leases.open(lease, units, signal);
    return undefined;
  } catch (error) {
    return undecided(error);
  } finally {
    clear();
  }
}

/** The error for an item that could not be decided. The caller can try again with the same id. */
export function undecided(cause?: unknown): KnowledgeError {
  if (cause instanceof KnowledgeError && cause.code === 'unavailable') return cause;
  return new KnowledgeError('unavailable', 'The quota could not be checked; try again.', {
    cause,
    retryAfterSeconds: 1,
  });
}

/** What a lease gives back of these items. */
export function unitsOf(items: readonly ConsumeItem[]): LeasedUnit[] {
  return items.map(({ id, charges }) => ({ id, keys: charges.map(({ key }) => key) }));
}

/** Some items of a call, with the positions of their results. */
class Selection {
  private readonly items: ConsumeItem[] = [];
  private readonly places: number[] = [];

  constructor(private readonly outcomes: ItemResult[]) {}

  add(item: ConsumeItem, place: number): void {
    this.items.push(item);
    this.places.push(place);
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  units(): LeasedUnit[] {
    return unitsOf(this.items);
  }

  async decide(consume: Consume, deadline: number, turn: LeaseTurn | undefined): Promise<void> {
    if (this.isEmpty) return;
    const decided = await consume(this.items, deadline, turn).catch((error: unknown) => error);
    for (const [at, place] of this.places.entries()) {
      this.outcomes[place] = Array.isArray(decided) ? (decided[at] as ItemResult) : undecided(decided);
    }
  }
}
