import { deadlineSignal, KnowledgeError, remainingMs } from '@knowledge/runtime';
import type { Charge } from './charge.js';
import { type ConsumeItem, fitsPipeline, fromCache, grantUncounted, withCountingCharges } from './consume-item.js';
import type { Counter } from './counter.js';
import { type Allowance, allowanceOf, type ItemResult } from './decision.js';
import type { LeasedUnit, LeaseStore, LeaseTurn } from './lease.js';
import type { Policies } from './policy.js';
import type { RefusalCache } from './refusal-cache.js';
import { type Subject, subjectDigest } from './subject.js';
import type { Now } from './window.js';

/** Decides items. Returns one result for each item, in the same order. */
type Consume = (items: readonly ConsumeItem[], deadline: number) => Promise<readonly ItemResult[]>;

/** Stores counters in a database. */
export interface CounterStore {
  /** Decides items that need only one conditional write (`fitsPipeline`). */
  consumeByPipeline: Consume;
  /** Decides any items, by transaction where that is needed. All charges of an item are taken, or none. */
  consumeByTransaction: Consume;
  /** Reads the existing counters of these keys. */
  read(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Counter>>;
  /** Empties the counters and keeps their windows. */
  reset(keys: readonly string[], signal: AbortSignal): Promise<void>;
}

export interface Quota {
  /** Decides each item separately, under a lease if one is given. Items that are errors stay errors. Never rejects. */
  consume(
    items: readonly (ConsumeItem | KnowledgeError)[],
    deadline: number,
    lease?: LeaseTurn,
  ): Promise<readonly ItemResult[]>;
  /** The allowance of each charge. It counts nothing. */
  peek(charges: readonly Charge[], signal: AbortSignal): Promise<Allowance[]>;
  /** The allowances of a subject under all policies for its kind. */
  show(subject: Subject, signal: AbortSignal): Promise<Allowance[]>;
  /** Resets all counters of a subject. Other processes may refuse it from their cache for a few more seconds. */
  reset(subject: Subject, signal: AbortSignal): Promise<Allowance[]>;
}

export interface QuotaDependencies {
  policies: Policies;
  store: CounterStore;
  leases: Pick<LeaseStore, 'open' | 'secure'>;
  memory: RefusalCache;
  now: Now;
}

export function createQuota({ policies, store, leases, memory, now }: QuotaDependencies): Quota {
  const securing = new Securing(leases);
  const peek = async (charges: readonly Charge[], signal: AbortSignal): Promise<Allowance[]> => {
    const keys = [...new Set(charges.map(({ key }) => key))];
    const stored = await store.read(keys, signal);
    return charges.map(({ policy, key }) => allowanceOf(policy, stored.get(key), now()));
  };

  const chargesOf = (subject: Subject): Charge[] => {
    const digest = subjectDigest(subject);
    const counting = Object.values(policies).filter(({ kind }) => kind === subject.kind);
    return counting.map((policy) => ({ policy, key: `${policy.name}:${digest}` }));
  };

  return {
    async consume(items, deadline, lease) {
      const outcomes: ItemResult[] = new Array(items.length);
      const single = new Selection(outcomes);
      const joint = new Selection(outcomes);
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
        else if (counted !== undefined) (fitsPipeline(counted) ? single : joint).add(counted, place);
      }
      const units = [...single.units(), ...joint.units()];
      if (lease !== undefined && (units.length > 0 || lease.settlesEarlier)) {
        // The lease is opened before counting. Without a stored lease, nothing would give back its units.
        const failure = await openLease(leases, lease, units, deadline);
        if (failure !== undefined) return Array.from(outcomes, () => failure);
      }
      const opened = performance.now();
      await Promise.all([
        single.decide(store.consumeByPipeline, deadline),
        joint.decide(store.consumeByTransaction, deadline),
      ]);
      if (lease !== undefined && (performance.now() - opened > failOverMs || outcomes.some(isUndecided))) {
        securing.start(lease, units);
      }
      return outcomes;
    },
    peek,
    show: async (subject, signal) => peek(chargesOf(subject), signal),
    async reset(subject, signal) {
      const charges = chargesOf(subject);
      const keys = charges.map(({ key }) => key);
      // The cache is cleared even if the reset fails, since the counters may have been reset.
      await store.reset(keys, signal).finally(() => memory.forget(keys));
      return peek(charges, signal);
    },
  };
}

async function openLease(
  leases: Pick<LeaseStore, 'open'>,
  lease: LeaseTurn,
  units: readonly LeasedUnit[],
  deadline: number,
): Promise<KnowledgeError | undefined> {
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

/** In less time no other member becomes the primary, so the lease and the count are in one log. */
const failOverMs = 500;

/** The largest number of units that wait to be secured, and for how long each may wait. */
const maxSecured = 20_000;
const securedWithinMs = 10_000;

/** Stores leases in the background that may have been lost with a primary, although their units may be counted. */
class Securing {
  private waiting = 0;

  constructor(private readonly leases: Pick<LeaseStore, 'secure'>) {}

  start(lease: LeaseTurn, units: readonly LeasedUnit[]): void {
    if (units.length === 0 || this.waiting + units.length > maxSecured) return;
    this.waiting += units.length;
    const { signal, clear } = deadlineSignal(Date.now() + securedWithinMs);
    const end = (): void => {
      clear();
      this.waiting -= units.length;
    };
    // Without it, a unit stays counted only if the primary changed in the moment of the count.
    this.leases.secure(lease, units, signal).then(end, end);
  }
}

function isUndecided(outcome: ItemResult): boolean {
  return outcome instanceof KnowledgeError && outcome.code === 'unavailable';
}

/** The error for an item that could not be decided. The caller can try again with the same id. */
export function undecided(cause?: unknown): KnowledgeError {
  if (cause instanceof KnowledgeError && cause.code === 'unavailable') return cause;
  return new KnowledgeError('unavailable', 'The quota could not be checked; try again.', {
    cause,
    retryAfterSeconds: 1,
  });
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

  units(): LeasedUnit[] {
    return this.items.map(({ id, charges }) => ({ id, keys: charges.map(({ key }) => key) }));
  }

  async decide(consume: Consume, deadline: number): Promise<void> {
    if (this.items.length === 0) return;
    const decided = await consume(this.items, deadline).catch((error: unknown) => error);
    for (const [at, place] of this.places.entries()) {
      this.outcomes[place] = Array.isArray(decided) ? (decided[at] as ItemResult) : undecided(decided);
    }
  }
}
