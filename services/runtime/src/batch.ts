import type { Deadline } from './deadline.js';
import { KnowledgeError } from './errors/knowledge-error.js';

/** The deadline and the abort signal of one send. */
export interface SendContext {
  /** The latest deadline among the items. The send may run until then. */
  deadline: Deadline;
  /** Aborts when all callers of the items have stopped waiting. */
  signal: AbortSignal;
}

export interface BatcherOptions<Item, Result> {
  /**
   * Sends the items. Resolves to one result or Error for each item, in the same order. If it rejects, only the items of
   * this send fail.
   */
  send: (items: Item[], context: SendContext) => Promise<readonly (Result | Error)[]>;
  /** The largest number of items in one send. */
  maxItems: number;
  /** The largest total weight of one send. A single item may be heavier; it is sent alone. */
  weight?: { max: number; of: (item: Item) => number };
  /** The largest number of sends that may run at once. */
  maxInFlight: number;
  /**
   * Whether a send may be repeated (default false). If such a send fails with a defect, its items are sent again in
   * halves. So only the faulty items fail, and items of other callers succeed.
   */
  repeatable?: boolean;
  /**
   * After a send, the next one waits until the same callers are there again, beside those that wait already. It waits at
   * most `maxMs` (default: not at all). So callers that come back at once share a send in place of taking turns.
   * A send of `below` items or more is large enough without waiting, and after a send of a single item nothing waits if it
   * is alone.
   */
  gather?: { maxMs: number; below: number };
  /**
   * A send starts beside a running one only with `from` items, or after `afterMs` (default: at once). Where a send costs
   * the same for one item and for several, a few callers then share one.
   */
  beside?: { from: number; afterMs: number };
  /** The largest number of waiting items. When it is reached, `add` rejects at once (default 10,000). */
  maxWaiting?: number;
}

/** Limits the time for which the caller waits for one item. */
export interface AddOptions {
  deadline: Deadline;
  signal?: AbortSignal | undefined;
}

// One timer checks the deadlines of all waiting calls. It runs at most once per this many milliseconds.
const sweepGranularityMs = 10;

/**
 * Collects the calls that arrive while earlier calls are being sent, and sends them in groups
 * (services/runtime/DECISIONS.md#batches-not-timers). A single call is sent at once. Calls that arrive while `maxInFlight`
 * sends run go into the next send, in the order of their arrival. One timer checks all deadlines, so each item needs only
 * one object and one promise.
 */
export class Batcher<Item, Result> {
  /** The number of sends that run. */
  inFlight = 0;
  private readonly options: BatcherOptions<Item, Result>;
  private readonly maxWaiting: number;
  private queue: Waiter<Item, Result>[] = [];
  private head = 0;
  private readonly sent = new Set<Batch<Item, Result>>();
  private scheduled = false;
  private closed = false;
  /** The number of items for which the next send waits, until the timer ends. */
  private expected = 0;
  private gathering: NodeJS.Timeout | undefined;
  /** When the newest send started, and the timer that lets the next one start beside it. */
  private startedAt = 0;
  private standing: NodeJS.Timeout | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Number.POSITIVE_INFINITY;

  constructor(options: BatcherOptions<Item, Result>) {
    this.options = options;
    this.maxWaiting = options.maxWaiting ?? 10_000;
  }

  /** The number of items that wait. */
  get waiting(): number {
    return this.queue.length - this.head;
  }

  /** Returns the result of this item. Rejects with `unavailable` when the deadline passes or the signal aborts. */
  add(item: Item, { deadline, signal }: AddOptions): Promise<Result> {
    if (this.closed) return Promise.reject(refusal('The service is shutting down.'));
    if (signal?.aborted) return Promise.reject(refusal('The caller is gone.', signal.reason));
    if (deadline <= Date.now()) return Promise.reject(refusal('The deadline passed.'));
    if (this.waiting >= this.maxWaiting) return Promise.reject(refusal('Too many calls are waiting.'));
    const weight = this.options.weight?.of(item) ?? 0;
    return new Promise<Result>((resolve, reject) => {
      const waiter = new Waiter(item, weight, deadline, signal, resolve, reject);
      this.queue.push(waiter);
      this.watch(deadline);
      this.schedule();
    });
  }

  /** Rejects the waiting items and all later ones. Sends that already run may finish. */
  close(): void {
    this.closed = true;
    this.stopGathering();
    clearTimeout(this.standing);
    for (let at = this.head; at < this.queue.length; at++) {
      this.queue[at]?.fail(refusal('The service is shutting down.'));
    }
    this.queue = [];
    this.head = 0;
  }

  // Waits for one microtask, so that all items that are added in the same tick go into one send.
  private schedule() {
    if (this.scheduled || this.inFlight >= this.options.maxInFlight) return;
    if (this.waiting < this.expected || this.mustStand()) return;
    this.stopGathering();
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      while (this.inFlight < this.options.maxInFlight && !this.mustStand()) {
        const batch = this.take();
        if (batch === undefined) return;
        void this.dispatch(batch);
      }
    });
  }

  /** Whether the waiting items are too few to start a send beside the running ones. */
  private mustStand() {
    const { beside } = this.options;
    if (beside === undefined || this.inFlight === 0 || this.waiting === 0 || this.waiting >= beside.from) return false;
    const left = this.startedAt + beside.afterMs - performance.now();
    if (left <= 0) return false;
    this.standing ??= setTimeout(() => {
      this.standing = undefined;
      this.schedule();
    }, left);
    return true;
  }

  private take() {
    const { maxItems, weight } = this.options;
    const maxWeight = weight?.max ?? Number.POSITIVE_INFINITY;
    const now = Date.now();
    const waiters: Waiter<Item, Result>[] = [];
    let total = 0;
    for (; this.head < this.queue.length && waiters.length < maxItems; this.head++) {
      const waiter = this.queue[this.head] as Waiter<Item, Result>;
      if (waiter.deadline <= now) waiter.fail(refusal('The deadline passed.'));
      if (waiter.settled) continue;
      if (waiters.length > 0 && total + waiter.weight > maxWeight) break;
      total += waiter.weight;
      waiters.push(waiter);
    }
    this.compact();
    return waiters.length === 0 ? undefined : new Batch(waiters);
  }

  private compact() {
    if (this.head === this.queue.length) this.queue = [];
    else if (this.head > 1024 && this.head * 2 > this.queue.length) this.queue = this.queue.slice(this.head);
    else return;
    this.head = 0;
  }

  private async dispatch(batch: Batch<Item, Result>) {
    this.inFlight++;
    if (this.options.beside !== undefined) this.startedAt = performance.now();
    this.sent.add(batch);
    await this.deliver(batch);
    this.inFlight--;
    this.sent.delete(batch);
    this.gather(batch.waiters.length);
    this.schedule();
  }

  private gather(sent: number) {
    const { gather } = this.options;
    const together = sent + this.waiting;
    if (gather === undefined || together < 2 || together >= gather.below || this.closed) return;
    this.stopGathering();
    this.expected = together;
    this.gathering = setTimeout(() => {
      this.stopGathering();
      this.schedule();
    }, gather.maxMs);
  }

  private stopGathering() {
    if (this.expected === 0) return;
    this.expected = 0;
    clearTimeout(this.gathering);
  }

  private async deliver(batch: Batch<Item, Result>) {
    try {
      batch.settle(await this.options.send(batch.items(), batch));
    } catch (error) {
      const open = batch.waiters.filter(({ settled }) => !settled);
      if (this.options.repeatable !== true || open.length < 2 || !isDefect(error)) {
        batch.fail(error);
        return;
      }
      const middle = Math.ceil(open.length / 2);
      const halves = [open.slice(0, middle), open.slice(middle)];
      await Promise.all(halves.map((half) => this.deliver(new Batch(half))));
    }
  }

  private watch(deadline: Deadline) {
    if (deadline >= this.timerAt - sweepGranularityMs && this.timer !== undefined) return;
    if (!Number.isFinite(deadline)) return;
    clearTimeout(this.timer);
    this.timerAt = deadline;
    const delay = Math.min(Math.max(deadline - Date.now(), sweepGranularityMs), 60_000);
    this.timer = setTimeout(() => this.sweep(), delay);
  }

  private sweep() {
    this.timer = undefined;
    this.timerAt = Number.POSITIVE_INFINITY;
    const now = Date.now();
    let next = Number.POSITIVE_INFINITY;
    const visit = (waiter: Waiter<Item, Result>) => {
      if (waiter.settled) return;
      if (waiter.deadline <= now) waiter.fail(refusal('The deadline passed.'));
      else if (waiter.deadline < next) next = waiter.deadline;
    };
    for (let at = this.head; at < this.queue.length; at++) visit(this.queue[at] as Waiter<Item, Result>);
    for (const batch of this.sent) for (const waiter of batch.waiters) visit(waiter);
    this.watch(next);
  }
}

class Batch<Item, Result> implements SendContext {
  readonly deadline: Deadline;
  private controller: AbortController | undefined;
  private open: number;
  private answered = false;

  constructor(readonly waiters: Waiter<Item, Result>[]) {
    this.open = waiters.length;
    let latest = 0;
    for (const waiter of waiters) {
      waiter.batch = this;
      if (waiter.deadline > latest) latest = waiter.deadline;
    }
    this.deadline = latest;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.open === 0 && !this.answered) this.controller.abort();
    return this.controller.signal;
  }

  items(): Item[] {
    return this.waiters.map((waiter) => waiter.item);
  }

  settle(results: readonly (Result | Error)[]): void {
    this.answered = true;
    if (results.length !== this.waiters.length) {
      const told = `A batch of ${this.waiters.length} got ${results.length} results.`;
      this.fail(new KnowledgeError('internal_error', told));
      return;
    }
    for (let at = 0; at < results.length; at++) this.waiters[at]?.settle(results[at] as Result | Error);
  }

  fail(error: unknown): void {
    this.answered = true;
    for (const waiter of this.waiters) waiter.fail(error);
  }

  left(): void {
    this.open--;
    if (this.open === 0 && !this.answered) this.controller?.abort();
  }
}

// The waiter itself is the abort listener (EventListenerObject). This saves one closure per item.
class Waiter<Item, Result> {
  settled = false;
  batch: Batch<Item, Result> | undefined;

  constructor(
    readonly item: Item,
    readonly weight: number,
    readonly deadline: Deadline,
    private readonly signal: AbortSignal | undefined,
    private readonly resolve: (result: Result) => void,
    private readonly reject: (error: unknown) => void,
  ) {
    signal?.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.fail(refusal('The caller is gone.', this.signal?.reason));
  }

  settle(result: Result | Error): void {
    if (result instanceof Error) this.fail(result);
    else if (this.end()) this.resolve(result);
  }

  fail(error: unknown): void {
    if (this.end()) this.reject(error);
  }

  private end() {
    if (this.settled) return false;
    this.settled = true;
    this.signal?.removeEventListener('abort', this);
    this.batch?.left();
    return true;
  }
}

function isDefect(error: unknown) {
  return !(error instanceof KnowledgeError) || error.code === 'internal_error';
}

function refusal(message: string, cause?: unknown) {
  return new KnowledgeError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
