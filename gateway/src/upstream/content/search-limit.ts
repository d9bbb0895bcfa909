import { type Deadline, deadlineSignal, KnowledgeError } from '@knowledge/runtime';

/**
 * Limits the searches that content runs for this gateway at the same time. Every new query costs time, and nobody pays
 * for it. Others wait in turn, and beyond the bounds they are refused as overload (gateway/PROTOCOL.md#search).
 */
export interface SearchLimit {
  /** Runs a search in its turn. `caller` is the network of the client. Throws unavailable. */
  run<T>(caller: string, deadline: Deadline, search: () => Promise<T>): Promise<T>;
}

/** How many searches run, and how many run or wait: of all callers, and of one. */
export interface SearchBounds {
  readonly running: number;
  readonly unfinished: number;
  /** Less than all, so that one caller leaves room for others. */
  readonly unfinishedPerCaller: number;
}

const defaultBounds: SearchBounds = { running: 8, unfinished: 256, unfinishedPerCaller: 128 };

/** Makes the limit. It calls `onRefused` for each search that it refuses because too many run. */
export function createSearchLimit(onRefused: () => void, bounds: SearchBounds = defaultBounds): SearchLimit {
  const unfinishedOf = new Map<string, number>();
  const waiting = new Set<() => void>();
  let unfinished = 0;
  let running = 0;

  const enter = (caller: string): void => {
    const own = unfinishedOf.get(caller) ?? 0;
    if (unfinished >= bounds.unfinished || own >= bounds.unfinishedPerCaller) {
      onRefused();
      throw new KnowledgeError('unavailable', 'Too many searches run at once.', { retryAfterSeconds });
    }
    unfinished += 1;
    unfinishedOf.set(caller, own + 1);
  };
  const leave = (caller: string): void => {
    const own = unfinishedOf.get(caller) ?? 0;
    unfinished -= 1;
    if (own > 1) unfinishedOf.set(caller, own - 1);
    else unfinishedOf.delete(caller);
  };
  const turn = async (deadline: Deadline): Promise<void> => {
    if (running < bounds.running) {
      running += 1;
      return;
    }
    const limit = deadlineSignal(deadline);
    try {
      await new Promise<void>((resolve, reject) => {
        waiting.add(resolve);
        limit.signal.addEventListener('abort', () => {
          waiting.delete(resolve);
          reject(new KnowledgeError('unavailable', 'The search did not get its turn in time.', { retryAfterSeconds }));
        });
      });
    } finally {
      limit.clear();
    }
  };
  // A place goes straight to the one who has waited longest, so that no newcomer takes it.
  const pass = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    async run(caller, deadline, search) {
      enter(caller);
      try {
        await turn(deadline);
        try {
          return await search();
        } finally {
          pass();
        }
      } finally {
        leave(caller);
      }
    },
  };
}

const retryAfterSeconds = 1;
