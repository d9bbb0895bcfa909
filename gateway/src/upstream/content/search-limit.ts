import { type Deadline, deadlineSignal, KnowledgeError } from '@knowledge/runtime';

export interface SearchBounds {
  readonly running: number;
  /** Less than all, so that one widest network leaves places for others. */
  readonly runningPerNetwork: number;
  readonly waiting: number;
}

const defaultBounds: SearchBounds = { running: 8, runningPerNetwork: 2, waiting: 256 };

/** The time that a search has left when it begins. Content would work in vain for one that ends too early. */
const searchMs = 1_000;

/**
 * Limits the searches that content runs for this gateway at the same time. Every new query costs time, and nobody pays
 * for it. Others wait, networks take turns, and beyond the bounds they are refused as overload (gateway/PROTOCOL.md#search).
 * `onRefused` is called for each search that is refused because too many wait.
 */
export function createSearchLimit(onRefused: () => void, bounds: SearchBounds = defaultBounds) {
  const waiting = new Turns<{ readonly start: () => void; readonly refuse: (why: string) => void }>();
  const runningOf = new Map<string, number>();
  let running = 0;

  const count = (network: string, change: number) => {
    running += change;
    const own = (runningOf.get(network) ?? 0) + change;
    if (own > 0) runningOf.set(network, own);
    else runningOf.delete(network);
  };
  const startNext = () => {
    while (running < bounds.running) {
      const next = waiting.next((network) => (runningOf.get(network) ?? 0) < bounds.runningPerNetwork);
      if (next === undefined) return;
      next.start();
    }
  };
  const turn = async (networks: readonly string[], widest: string, deadline: Deadline) => {
    const limit = deadlineSignal(deadline - searchMs);
    try {
      await new Promise<void>((resolve, reject) => {
        const item = {
          start: () => resolve(count(widest, 1)),
          refuse: (why: string) => reject(new KnowledgeError('unavailable', why, { retryAfterSeconds: 1 })),
        };
        waiting.add(networks, item);
        limit.signal.addEventListener('abort', () => {
          waiting.remove(networks, item);
          item.refuse('The search did not get its turn in time.');
        });
        startNext();
        if (waiting.size <= bounds.waiting) return;
        onRefused();
        waiting.surplus()?.refuse('Too many searches wait.');
      });
    } finally {
      limit.clear();
    }
  };

  return {
    /** Runs a search in its turn. `networks` are those of the client, the widest first. Throws unavailable. */
    async run<T>(networks: readonly string[], deadline: Deadline, search: () => Promise<T>) {
      const [widest = ''] = networks;
      await turn(networks, widest, deadline);
      try {
        return await search();
      } finally {
        count(widest, -1);
        startNext();
      }
    },
  };
}

/** What waits, by network. Networks take turns, and so do the narrower networks inside each one. */
class Turns<T> {
  /** The number of items that wait. */
  size = 0;
  private readonly inside = new Map<string, Turns<T>>();
  private readonly items: T[] = [];

  /** Adds an item. Its networks come from the widest to the narrowest. */
  add([network, ...narrower]: readonly string[], item: T): void {
    this.size += 1;
    if (network === undefined) {
      this.items.push(item);
      return;
    }
    const turns = this.inside.get(network) ?? new Turns();
    this.inside.set(network, turns);
    turns.add(narrower, item);
  }

  /** Removes an item that waits no longer. */
  remove([network, ...narrower]: readonly string[], item: T): void {
    this.size -= 1;
    if (network === undefined) this.items.splice(this.items.indexOf(item), 1);
    else this.visit(network, (turns) => turns.remove(narrower, item));
  }

  /** Takes the oldest item of the network whose turn it is. Only widest networks that `mayCome` have a turn. */
  next(mayCome: (network: string) => boolean = () => true): T | undefined {
    const network = [...this.inside.keys()].find(mayCome);
    if (network === undefined) return this.taken(this.items.shift());
    const turns = this.inside.get(network) as Turns<T>;
    // It goes to the end, behind all others.
    this.inside.delete(network);
    this.inside.set(network, turns);
    return this.taken(this.visit(network, (each) => each.next()));
  }

  /** Takes the newest item of the network that has the most. */
  surplus(): T | undefined {
    const [network] = [...this.inside.keys()].sort((a, b) => this.sizeOf(b) - this.sizeOf(a));
    return this.taken(network === undefined ? this.items.pop() : this.visit(network, (turns) => turns.surplus()));
  }

  private sizeOf(network: string) {
    return this.inside.get(network)?.size ?? 0;
  }

  private taken(item: T | undefined) {
    if (item !== undefined) this.size -= 1;
    return item;
  }

  private visit<R>(network: string, act: (turns: Turns<T>) => R) {
    const turns = this.inside.get(network) as Turns<T>;
    const result = act(turns);
    if (turns.size === 0) this.inside.delete(network);
    return result;
  }
}
