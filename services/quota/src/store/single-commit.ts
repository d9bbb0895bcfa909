import { type Deadline, isOutage, remainingMs } from '@knowledge/runtime';
import type { Db } from 'mongodb';
import type { Charge } from '../domain/charge.js';
import type { ConsumeItem } from '../domain/consume-item.js';
import { grantedAt, type ItemResult, refusedBy } from '../domain/decision.js';
import { undecided } from '../domain/quota.js';
import type { RefusalMemory } from '../domain/refusal-memory.js';
import { isUsedUp, positionOf, type Tally, tallyIn, withGrant } from '../domain/tally.js';
import { type Now, windowStart } from '../domain/window.js';
import { consumePipeline } from './consume-pipeline.js';
import type { Newcomers } from './newcomers.js';
import type { ServerClock } from './server-clock.js';
import { findTallies, insertEach, isDuplicate, type PipelineUpsert, upsertEach, upsertOne } from './tally-commands.js';
import { toDocument } from './tally-document.js';
import { untilAnswered } from './until-answered.js';

/** What a group commit works with. */
export interface CommitDependencies {
  db: Db;
  memory: RefusalMemory;
  newcomers: Newcomers;
  now: Now;
  /** The clock of the database server; without it a write that reaches the server late counts, until it is given back. */
  clock?: Pick<ServerClock, 'lastMoment'> | undefined;
}

/** Commits a group of items; one outcome each. */
export type Commit = (items: readonly ConsumeItem[], signal: AbortSignal) => Promise<ItemResult[]>;

/**
 * The group commit (ARCHITECTURE.md#quota): one unordered command of pipeline updates, and one find of the documents
 * whose grants it must still see. Who seems to be new is inserted beside it. A lone item is one findAndModify.
 */
export function createSingleCommit(dependencies: CommitDependencies): Commit {
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
  /** The window by our clock. */
  readonly window: number;
  readonly deadline: Deadline;
}

/** Far more than races can cause; what needs more is a defect. */
const maxRounds = 100;

class Group {
  private readonly decided: (ItemResult | undefined)[];
  private readonly generation: number;
  private open: Open[] = [];

  constructor(
    private readonly using: CommitDependencies,
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
      // Nobody waits for the others any more: what is not written is not charged.
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
      const tally = await upsertOne(this.using.db, this.upsertOf(item), this.signal);
      return this.settle(item, tally) ? [] : [item];
    } catch (error) {
      if (isDuplicate(error)) return [item];
      throw error;
    }
  }

  /** Tries every item once; what is left lost a race. */
  private async together(open: readonly Open[]): Promise<Open[]> {
    const guessed = this.using.newcomers.among(open.map(({ charge }) => charge.key));
    const others = guessed.size === 0 ? open : open.filter(({ charge }) => !guessed.has(charge.key));
    const newcomers = guessed.size === 0 ? [] : open.filter(({ charge }) => guessed.has(charge.key));
    const [collided, written] = await Promise.all([this.insert(newcomers), this.update(others)]);
    return [...collided, ...written.again, ...(await this.look(written.unseen))];
  }

  /** Makes the documents of those who are new, with all that the group asks for; gives back the items of those who are not. */
  private async insert(items: readonly Open[]): Promise<Open[]> {
    if (items.length === 0) return [];
    const firsts = new Map<string, First>();
    for (const item of items) {
      const first = firsts.get(item.charge.key);
      if (first === undefined) firsts.set(item.charge.key, new First(item));
      else first.add(item);
    }
    const groups = [...firsts.values()];
    const documents = groups.map(({ charge, tally }) => toDocument(charge.key, charge.policy, tally));
    const { failed } = await insertEach(this.using.db, documents, this.signal);
    const again: Open[] = [];
    for (const [at, { items, tally }] of groups.entries()) {
      const error = failed.get(at);
      for (const item of items) {
        const isDone = error === undefined ? this.settle(item, tally) : !this.isRace(item, error);
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
      } else if (inserted.has(at)) this.settle(item, new First(item).tally);
      else unseen.push(item);
    }
    return { unseen, again };
  }

  /** Decides by the documents as they are after the update; gives back what they cannot decide. */
  private async look(items: readonly Open[]): Promise<Open[]> {
    if (items.length === 0) return [];
    const keys = new Set(items.map(({ charge }) => charge.key));
    const tallies = await findTallies(this.using.db, [...keys], { signal: this.signal });
    return items.filter((item) => {
      const tally = tallies.get(item.charge.key);
      return tally === undefined || !this.settle(item, tally);
    });
  }

  private upsertOf({ charge, window, id, deadline }: Open): PipelineUpsert {
    const lastMoment = this.using.clock?.lastMoment(deadline);
    return { key: charge.key, pipeline: consumePipeline(charge, window, id, lastMoment) };
  }

  private settle(item: Open, tally: Tally): boolean {
    const { place, id, charge } = item;
    const { memory, newcomers, now } = this.using;
    newcomers.met(charge.key);
    const position = positionOf(tally, id);
    if (position !== undefined) this.decided[place] = grantedAt(charge.policy, tally, position);
    else if (tally.window >= item.window && isUsedUp(tally, charge.policy)) {
      // Used up in a window that is newer than the one of the update is used up all the same.
      this.decided[place] = refusedBy(charge.policy, tally);
    } else {
      // Midnight or a reset came between the update and the look: decide again.
      return false;
    }
    memory.remember(charge, tally, now(), this.generation);
    return true;
  }

  /** Whether a failed statement is to be tried again; if not, it gets the error. */
  private isRace({ place, charge }: Open, error: Error): boolean {
    if (isDuplicate(error)) this.using.newcomers.met(charge.key);
    else if (!isOutage(error)) {
      this.decided[place] = undecided(error);
      return false;
    }
    return true;
  }
}

/** The items of a subject without a document, and the tally that they begin. */
class First {
  readonly charge: Charge;
  readonly items: Open[] = [];
  tally: Tally;

  constructor(item: Open) {
    this.charge = item.charge;
    this.tally = tallyIn(item.window, undefined);
    this.add(item);
  }

  add(item: Open): void {
    const { id, charge } = item;
    this.items.push(item);
    if (positionOf(this.tally, id) !== undefined || isUsedUp(this.tally, charge.policy)) return;
    this.tally = withGrant(this.tally, charge.policy, id);
  }
}
