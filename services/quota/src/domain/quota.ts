import { deadlineSignal, KnowledgeError, remainingMs } from '@knowledge/runtime';
import type { Charge } from './charge.js';
import { type ConsumeItem, countedPart, fromMemory, isSingle, uncounted } from './consume-item.js';
import { type Allowance, allowanceOf, type ItemResult } from './decision.js';
import type { LeasedUnit, LeaseStore, LeaseTurn } from './lease.js';
import type { Policies } from './policy.js';
import type { RefusalMemory } from './refusal-memory.js';
import { type Subject, subjectDigest } from './subject.js';
import type { Tally } from './tally.js';
import type { Now } from './window.js';

/** Decides items: one outcome each, in their order. */
type Consume = (items: readonly ConsumeItem[], deadline: number) => Promise<readonly ItemResult[]>;

/** What counting needs of a database. */
export interface TallyStore {
  /** Items that one conditional write decides (`isSingle`). */
  consumeSingle: Consume;
  /** Any items; several charges of one item are taken together or not at all. */
  consumeJoint: Consume;
  /** The tallies that exist, by key. */
  read(keys: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Tally>>;
  /** Empties the tallies; their windows stay. */
  reset(keys: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Counting. */
export interface Quota {
  /** Decides every item on its own, under a lease if there is one; what is an error already stays one. Never rejects. */
  consume(
    items: readonly (ConsumeItem | KnowledgeError)[],
    deadline: number,
    lease?: LeaseTurn,
  ): Promise<readonly ItemResult[]>;
  /** What is left of each charge, at no cost. */
  peek(charges: readonly Charge[], signal: AbortSignal): Promise<Allowance[]>;
  /** What is left to a subject of every policy of its kind. */
  show(subject: Subject, signal: AbortSignal): Promise<Allowance[]>;
  /** Gives a subject all of it back: here at once, elsewhere when a remembered refusal is forgotten. */
  reset(subject: Subject, signal: AbortSignal): Promise<Allowance[]>;
}

/** What counting is made of. */
export interface QuotaDependencies {
  policies: Policies;
  store: TallyStore;
  leases: Pick<LeaseStore, 'open'>;
  memory: RefusalMemory;
  now: Now;
}

/** Joins the policies with a store and the memory of refusals. */
export function createQuota({ policies, store, leases, memory, now }: QuotaDependencies): Quota {
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
        const counted = countedPart(item);
        const known = counted === undefined ? uncounted(item, time) : fromMemory(counted, memory, time);
        if (known !== undefined) outcomes[place] = known;
        else if (counted !== undefined) (isSingle(counted) ? single : joint).add(counted, place);
      }
      const units = [...single.units(), ...joint.units()];
      if (lease !== undefined && (units.length > 0 || lease.settlesEarlier)) {
        // First: what is counted before its lease is sure to be there could stay counted for good.
        const failure = await openLease(leases, lease, units, deadline);
        if (failure !== undefined) return Array.from(outcomes, () => failure);
      }
      await Promise.all([single.decide(store.consumeSingle, deadline), joint.decide(store.consumeJoint, deadline)]);
      return outcomes;
    },
    peek,
    show: async (subject, signal) => peek(chargesOf(subject), signal),
    async reset(subject, signal) {
      const charges = chargesOf(subject);
      const keys = charges.map(({ key }) => key);
      // Even if the outcome is unknown: whatever is remembered may be wrong.
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

/** An outcome for what could not be decided; the caller refuses with it, and may try again with the same id. */
export function undecided(cause?: unknown): KnowledgeError {
  if (cause instanceof KnowledgeError && cause.code === 'unavailable') return cause;
  return new KnowledgeError('unavailable', 'The quota could not be checked; try again.', {
    cause,
    retryAfterSeconds: 1,
  });
}

/** Some items of a call, and where their outcomes belong. */
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
