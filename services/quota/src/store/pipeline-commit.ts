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
import {
  appendEach,
  findCounters,
  insertEach,
  type PipelineUpsert,
  upsertCounter,
  upsertEach,
} from './counter-commands.js';
import { toDocument } from './counter-document.js';
import type { NewSubjects, Tally } from './new-subjects.js';
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
 * Makes the group commit (ARCHITECTURE.md#quota). One command inserts the subjects that seem new, and one extends those
 * whose tally is known; neither reads anything back. All other items are pipeline updates in one unordered command, and
 * one find reads the changed documents. A single item uses one findAndModify.
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
    this.using.newcomers.claim(item.charge.key);
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
    const { newcomers, known, others } = this.sorted(open);
    const [collided, missed, written] = await Promise.all([
      this.insert(newcomers),
      this.extend(known),
      others.length === 1 ? this.alone(others).then((again) => ({ unseen: [], again })) : this.update(others),
    ]);
    return [...collided, ...missed, ...written.again, ...(await this.look(written.unseen))];
  }

  /** Sorts the items by subject. All items of a subject take the same way, so that they keep their order. */
  private sorted(open: readonly Open[]): { newcomers: Subject[]; known: Extension[]; others: Open[] } {
    const newcomers: Subject[] = [];
    const known: Extension[] = [];
    const others: Open[] = [];
    for (const subject of subjectsOf(open)) {
      const knowledge = this.using.newcomers.claim(subject.charge.key);
      if (knowledge === 'new') newcomers.push(subject);
      else {
        const extension = knowledge === 'stored' ? undefined : subject.extending(knowledge);
        if (extension === undefined) others.push(...subject.items);
        else known.push(extension);
      }
    }
    return { newcomers, known, others };
  }

  /**
   * Inserts the counters of new subjects, with all grants of the batch. Returns the items whose subject already had a
   * counter.
   */
  private async insert(subjects: readonly Subject[]): Promise<Open[]> {
    if (subjects.length === 0) return [];
    const counters = subjects.map((subject) => subject.first());
    const documents = subjects.map(({ charge }, at) => toDocument(charge.key, charge.policy, counters[at] as Counter));
    const { failed } = await insertEach(this.using.db, documents, this.signal);
    const again: Open[] = [];
    for (const [at, { items }] of subjects.entries()) {
      const error = failed.get(at);
      for (const item of items) {
        const isDone = error === undefined ? this.settle(item, counters[at] as Counter) : !this.isRace(item, error);
        if (!isDone) again.push(item);
      }
    }
    this.using.newcomers.newness.report(subjects.length, failed.size);
    return again;
  }

  /**
   * Adds the ids to the counters that still have their known size. The reply does not say which of them had another
   * one. Then all items are tried again by pipeline, which grants those that were added and counts none twice.
   */
  private async extend(extensions: readonly Extension[]): Promise<Open[]> {
    if (extensions.length === 0) return [];
    const appends = extensions.map(({ subject, tally, ids }) => {
      const lastMoment = this.using.clock?.lastMoment(subject.deadline);
      return { key: subject.charge.key, ...tally, ids, lastMoment };
    });
    const isWhole = await appendEach(this.using.db, appends, this.signal);
    this.using.newcomers.tallies.report(extensions.length, isWhole ? 0 : extensions.length);
    if (!isWhole) return extensions.flatMap(({ subject }) => subject.items);
    for (const { subject, tally, ids } of extensions) {
      const { charge, items } = subject;
      for (const { place, id } of items) {
        this.decided[place] = grantedAt(charge.policy, tally, tally.count + ids.indexOf(id) + 1);
      }
      this.using.newcomers.markTally(charge.key, { window: tally.window, count: tally.count + ids.length });
    }
    return [];
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
      } else if (inserted.has(at)) this.settle(item, new Subject(item).first());
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
    newcomers.markStored(charge.key, counter);
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

/** The items of one subject in their order. */
class Subject {
  readonly charge: Charge;
  readonly items: Open[] = [];

  constructor(item: Open) {
    this.charge = item.charge;
    this.items.push(item);
  }

  /** The earliest deadline of the items. */
  get deadline(): Deadline {
    return Math.min(...this.items.map(({ deadline }) => deadline));
  }

  /** The first counter of a new subject, with the grants of all items that it has room for. */
  first(): Counter {
    const [{ window }] = this.items as [Open];
    let counter = counterIn(window, undefined);
    for (const { id, charge } of this.items) {
      if (positionOf(counter, id) !== undefined || isUsedUp(counter, charge.policy)) continue;
      counter = withGrant(counter, charge.policy, id);
    }
    return counter;
  }

  /** The extension of a counter with this tally. Undefined if the window differs or there is not room for all. */
  extending(tally: Tally): Extension | undefined {
    const ids = [...new Set(this.items.map(({ id }) => id))];
    const fits = this.items.every(
      ({ window, charge }) => window === tally.window && tally.count + ids.length <= charge.policy.limit,
    );
    return fits ? { subject: this, tally, ids } : undefined;
  }
}

/** New ids for a counter of a known size. */
interface Extension {
  readonly subject: Subject;
  readonly tally: Tally;
  readonly ids: readonly string[];
}

function subjectsOf(items: readonly Open[]): Iterable<Subject> {
  const subjects = new Map<string, Subject>();
  for (const item of items) {
    const subject = subjects.get(item.charge.key);
    if (subject === undefined) subjects.set(item.charge.key, new Subject(item));
    else subject.items.push(item);
  }
  return subjects.values();
}
