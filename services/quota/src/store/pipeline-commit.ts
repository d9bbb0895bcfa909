import { type Deadline, isOutage, remainingMs } from '@knowledge/runtime';
import { isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { Charge } from '../domain/charge.js';
import type { ConsumeItem } from '../domain/consume-item.js';
import { type Counter, counterIn, isUsedUp, positionOf, withGrant } from '../domain/counter.js';
import { grantedAt, type ItemResult, refusedBy } from '../domain/decision.js';
import { undecided } from '../domain/quota.js';
import type { RefusalCache } from '../domain/refusal-cache.js';
import { type Now, windowStart } from '../domain/window.js';
import { consumePipeline } from './consume-pipeline.js';
import { findCounters, insertEach, type PipelineUpsert, upsertCounter, upsertEach } from './counter-commands.js';
import { toDocument } from './counter-document.js';
import type { NewSubjects } from './new-subjects.js';
import type { ServerClock } from './server-clock.js';
import { untilAnswered } from './until-answered.js';

export interface PipelineCommitDependencies {
  db: Db;
  memory: RefusalCache;
  newcomers: NewSubjects;
  now: Now;
  /** The clock of the database server. Without it, a write that arrives too late counts until it is given back. */
  clock?: Pick<ServerClock, 'lastMoment'> | undefined;
}

/** Decides and stores a batch of items. Returns one result for each item. */
export type Commit = (items: readonly ConsumeItem[], signal: AbortSignal) => Promise<ItemResult[]>;

/**
 * Makes the group commit (ARCHITECTURE.md#quota). One unordered command sends all pipeline updates, and one find reads
 * the changed documents. A second command inserts the subjects that seem new, at the same time. A single item uses one
 * findAndModify.
 */
export function createPipelineCommit(dependencies: PipelineCommitDependencies): Commit {
  return async (items, signal) => {
    const group = new Group(dependencies, items, signal);
    try {
      await group.decide();
    } catch (error) {
      return group.outcomes((): ItemResult => undecided(error));
    }
    return group.outcomes(() => undecided());
  };
}

/** An item that is not decided yet. */
interface Open {
  readonly place: number;
  readonly id: string;
  readonly charge: Charge;
  /** The window of the item by our clock. */
  readonly window: number;
  readonly deadline: Deadline;
}

/** Far more rounds than races can cause. Only a defect could need more. */
const maxRounds = 100;

class Group {
  private readonly decided: (ItemResult | undefined)[];
  private readonly generation: number;
  private open: Open[] = [];

  constructor(
    private readonly using: PipelineCommitDependencies,
    items: readonly ConsumeItem[],
    private readonly signal: AbortSignal,
  ) {
    this.decided = new Array(items.length);
    this.generation = using.memory.generation;
    const now = using.now();
    for (const [place, { id, charges, deadline }] of items.entries()) {
      const [charge] = charges;
      this.open.push({ place, id, charge, window: windowStart(charge.policy.window, now), deadline });
    }
  }

  outcomes(otherwise: () => ItemResult): ItemResult[] {
    return Array.from(this.decided, (outcome) => outcome ?? otherwise());
  }

  async decide(): Promise<void> {
    for (let round = 1; ; round++) {
      // The callers of late items have stopped waiting, so these items are not charged.
      this.open = this.open.filter(({ deadline }) => remainingMs(deadline) > 0);
      if (this.open.length === 0) return;
      if (round > maxRounds) throw new Error(`A group commit is undecided after ${maxRounds} rounds.`);
      const { open } = this;
      this.open = await untilAnswered(this.signal, () => (open.length === 1 ? this.alone(open) : this.together(open)));
    }
  }

  private async alone(open: readonly Open[]): Promise<Open[]> {
    const [item] = open as [Open];
    try {
      const counter = await upsertCounter(this.using.db, this.upsertOf(item), this.signal);
      return this.settle(item, counter) ? [] : [item];
    } catch (error) {
      if (isDuplicateKey(error)) return [item];
      throw error;
    }
  }

  /** Tries every open item once. Returns the items that lost a race. */
  private async together(open: readonly Open[]): Promise<Open[]> {
    const guessed = this.using.newcomers.worthInserting(open.map(({ charge }) => charge.key));
    const others = guessed.size === 0 ? open : open.filter(({ charge }) => !guessed.has(charge.key));
    const newcomers = guessed.size === 0 ? [] : open.filter(({ charge }) => guessed.has(charge.key));
    const [collided, written] = await Promise.all([this.insert(newcomers), this.update(others)]);
    return [...collided, ...written.again, ...(await this.look(written.unseen))];
  }

  /**
   * Inserts the counters of new subjects, with all grants of the batch. Returns the items whose subject already had a
   * counter.
   */
  private async insert(items: readonly Open[]): Promise<Open[]> {
    if (items.length === 0) return [];
    const firsts = new Map<string, First>();
    for (const item of items) {
      const first = firsts.get(item.charge.key);
      if (first === undefined) firsts.set(item.charge.key, new First(item));
      else first.add(item);
    }
    const groups = [...firsts.values()];
    const documents = groups.map(({ charge, counter }) => toDocument(charge.key, charge.policy, counter));
    const { failed } = await insertEach(this.using.db, documents, this.signal);
    const again: Open[] = [];
    for (const [at, { items, counter }] of groups.entries()) {
      const error = failed.get(at);
      for (const item of items) {
        const isDone = error === undefined ? this.settle(item, counter) : !this.isRace(item, error);
        if (!isDone) again.push(item);
      }
    }
    this.using.newcomers.report(groups.length, failed.size);
    return again;
  }

  private async update(items: readonly Open[]): Promise<{ unseen: Open[]; again: Open[] }> {
    const unseen: Open[] = [];
    const again: Open[] = [];
    if (items.length === 0) return { unseen, again };
    const { inserted, failed } = await upsertEach(
      this.using.db,
      items.map((item) => this.upsertOf(item)),
      this.signal,
    );
    for (const [at, item] of items.entries()) {
      const error = failed.get(at);
      if (error !== undefined) {
        if (this.isRace(item, error)) again.push(item);
      } else if (inserted.has(at)) this.settle(item, new First(item).counter);
      else unseen.push(item);
    }
    return { unseen, again };
  }

  /** Reads the counters after the update, and decides by them. Returns the items that are still undecided. */
  private async look(items: readonly Open[]): Promise<Open[]> {
    if (items.length === 0) return [];
    const keys = new Set(items.map(({ charge }) => charge.key));
    const counters = await findCounters(this.using.db, [...keys], { signal: this.signal });
    return items.filter((item) => {
      const counter = counters.get(item.charge.key);
      return counter === undefined || !this.settle(item, counter);
    });
  }

  private upsertOf({ charge, window, id, deadline }: Open): PipelineUpsert {
    const lastMoment = this.using.clock?.lastMoment(deadline);
    return { key: charge.key, pipeline: consumePipeline(charge, window, id, lastMoment) };
  }

  private settle(item: Open, counter: Counter): boolean {
    const { place, id, charge } = item;
    const { memory, newcomers, now } = this.using;
    newcomers.markStored(charge.key);
    const position = positionOf(counter, id);
    if (position !== undefined) this.decided[place] = grantedAt(charge.policy, counter, position);
    else if (counter.window >= item.window && isUsedUp(counter, charge.policy)) {
      // A used-up counter refuses even if its window is newer.
      this.decided[place] = refusedBy(charge.policy, counter);
    } else {
      // The window changed or a reset happened between the update and the read, so the item is tried again.
      return false;
    }
    memory.remember(charge, counter, now(), this.generation);
    return true;
  }

  /** Whether a failed statement must be tried again. Otherwise the item gets the error. */
  private isRace({ place, charge }: Open, error: Error): boolean {
    if (isDuplicateKey(error)) this.using.newcomers.markStored(charge.key);
    else if (!isOutage(error)) {
      this.decided[place] = undecided(error);
      return false;
    }
    return true;
  }
}

/** The items of a new subject and its first counter. */
class First {
  readonly charge: Charge;
  readonly items: Open[] = [];
  counter: Counter;

  constructor(item: Open) {
    this.charge = item.charge;
    this.counter = counterIn(item.window, undefined);
    this.add(item);
  }

  add(item: Open): void {
    const { id, charge } = item;
    this.items.push(item);
    if (positionOf(this.counter, id) !== undefined || isUsedUp(this.counter, charge.policy)) return;
    this.counter = withGrant(this.counter, charge.policy, id);
  }
}
