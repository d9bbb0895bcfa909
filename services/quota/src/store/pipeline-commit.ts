import { isOutage, remainingMs } from '@knowledge/runtime';
import { isDuplicateKey } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { ConsumeItem } from '../domain/consume-item.js';
import {
  type Counter,
  grantedAt,
  type ItemResult,
  isUsedUp,
  positionOf,
  type RefusalCache,
  refusedBy,
} from '../domain/decision.js';
import { type Now, windowStart } from '../domain/policy.js';
import { undecided } from '../domain/quota.js';
import {
  appending,
  consumePipeline,
  findCounters,
  insertion,
  isApplied,
  type LastMoment,
  opening,
  type PipelineUpsert,
  resultsOf,
  type Statement,
  type StatementResult,
  untilAnswered,
  upsertCounter,
  upserting,
  writeEach,
} from './counter-commands.js';
import { type Extension, NewSubject, type NewSubjects, type OpenItem, subjectsOf } from './new-subjects.js';
import { countersName, type LeaseDocument, toDocument } from './schema.js';

interface PipelineCommitParts {
  db: Db;
  memory: RefusalCache;
  newcomers: NewSubjects;
  now: Now;
  lastMoment?: LastMoment | undefined;
}

/** Decides and stores a batch of items by their own charges. First it opens leases. Returns a result for each item. */
export type PipelineCommit = (
  items: readonly ConsumeItem[],
  signal: AbortSignal,
  leases?: readonly LeaseDocument[],
) => Promise<ItemResult[]>;

/**
 * Makes the group commit (services/quota/DECISIONS.md). One command opens the leases, inserts the subjects that seem new,
 * extends those whose tally is known, and updates all others by pipeline. Only the others are read back. A single item
 * without a lease uses one findAndModify.
 */
export function createPipelineCommit(parts: PipelineCommitParts): PipelineCommit {
  return async (items, signal, leases) => {
    const group = new Group(parts, items, signal, leases);
    try {
      await group.decide();
    } catch (error) {
      return group.outcomes((): ItemResult => undecided(error));
    }
    return group.outcomes(() => undecided());
  };
}

/** Far more rounds than races can cause. Only a defect could need more. */
const maxRounds = 100;

class Group {
  private readonly decided: (ItemResult | undefined)[];
  private readonly generation: number;
  private open: OpenItem[] = [];
  /** The leases that must be open before the first item. */
  private leases: readonly Statement[];

  constructor(
    private readonly using: PipelineCommitParts,
    items: readonly ConsumeItem[],
    private readonly signal: AbortSignal,
    leases: readonly LeaseDocument[] = [],
  ) {
    this.leases = leases.map(opening);
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
      this.open = await untilAnswered(this.signal, () =>
        open.length === 1 && this.leases.length === 0 ? this.alone(open) : this.together(open),
      );
    }
  }

  private async alone(open: readonly OpenItem[]) {
    const [item] = open as [OpenItem];
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
  private async together(open: readonly OpenItem[]) {
    const { newcomers, known, others } = this.sorted(open);
    const { leases } = this;
    const ordered = leases.length > 0;
    const counters = newcomers.map((subject) => subject.first());
    const own = [
      ...newcomers.map(({ charge: { key, policy }, deadline }, at) =>
        insertion(toDocument(key, policy, counters[at] as Counter), this.using.lastMoment?.(deadline)),
      ),
      ...known.map((extension) => this.appendingOf(extension)),
      ...others.map((item) => upserting(this.upsertOf(item))),
    ];
    const updates = [...leases, ...own];
    const reply = await writeEach(this.using.db, { update: countersName, updates, ordered }, this.signal);
    const results = resultsOf(reply, updates.length, ordered);
    // Each applied statement has one document, except an extension of a counter of another size.
    const isWhole = reply.n === results.filter(isApplied).length;
    this.opened(results.splice(0, leases.length));
    const collided = this.inserted(newcomers, counters, results.splice(0, newcomers.length));
    const areApplied = results.splice(0, known.length).every(isApplied);
    const missed = this.extended(known, isWhole && areApplied);
    const { unseen, again } = this.updated(others, results);
    return [...collided, ...missed, ...again, ...(await this.look(unseen))];
  }

  /** Sorts the items by subject. All items of a subject take the same way, so that they keep their order. */
  private sorted(open: readonly OpenItem[]) {
    const newcomers: NewSubject[] = [];
    const known: Extension[] = [];
    const others: OpenItem[] = [];
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

  /** Takes note of the opened leases. After a lease that is open already, the next command goes on. */
  private opened(results: readonly StatementResult[]) {
    const at = results.findIndex((result) => result instanceof Error);
    const error = results[at];
    if (error instanceof Error && !isDuplicateKey(error)) throw error;
    this.leases = at === -1 ? [] : this.leases.slice(at + 1);
  }

  /** Returns the items whose subject already had a counter. */
  private inserted(subjects: readonly NewSubject[], counters: readonly Counter[], results: readonly StatementResult[]) {
    const again: OpenItem[] = [];
    let collided = 0;
    for (const [at, { charge, items }] of subjects.entries()) {
      const result = results[at];
      const counter = counters[at];
      if (result === 'matched') this.using.newcomers.markStored(charge.key);
      if (result !== 'inserted') collided += 1;
      for (const item of items) {
        const isDecided = result === 'inserted' && counter !== undefined && this.settle(item, counter);
        if (result instanceof Error ? this.isRace(item, result) : !isDecided) again.push(item);
      }
    }
    this.using.newcomers.newness.report(subjects.length, collided);
    return again;
  }

  private appendingOf({ subject, tally, ids }: Extension) {
    const lastMoment = this.using.lastMoment?.(subject.deadline);
    return appending({ key: subject.charge.key, ...tally, ids, lastMoment });
  }

  /**
   * Settles the subjects that still had their known size. The reply does not say which of them had another one. Then all
   * are tried again by pipeline, which grants those that were added and counts none twice.
   */
  private extended(extensions: readonly Extension[], isWhole: boolean) {
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

  private updated(items: readonly OpenItem[], results: readonly StatementResult[]) {
    const unseen: OpenItem[] = [];
    const again: OpenItem[] = [];
    for (const [at, item] of items.entries()) {
      const result = results[at];
      if (result === 'inserted') this.settle(item, new NewSubject(item).first());
      else if (result === 'matched') unseen.push(item);
      else if (!(result instanceof Error) || this.isRace(item, result)) again.push(item);
    }
    return { unseen, again };
  }

  /** Reads the counters after the update, and decides by them. Returns the items that are still undecided. */
  private async look(items: readonly OpenItem[]) {
    if (items.length === 0) return [];
    const keys = new Set(items.map(({ charge }) => charge.key));
    const counters = await findCounters(this.using.db, [...keys], { signal: this.signal });
    return items.filter((item) => {
      const counter = counters.get(item.charge.key);
      return counter === undefined || !this.settle(item, counter);
    });
  }

  private upsertOf({ charge, window, id, deadline }: OpenItem): PipelineUpsert {
    const lastMoment = this.using.lastMoment?.(deadline);
    return { key: charge.key, pipeline: consumePipeline(charge, window, id, lastMoment) };
  }

  private settle(item: OpenItem, counter: Counter) {
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
  private isRace({ place, charge }: OpenItem, error: Error) {
    if (isDuplicateKey(error)) this.using.newcomers.markStored(charge.key);
    else if (!isOutage(error)) {
      this.decided[place] = undecided(error);
      return false;
    }
    return true;
  }
}
