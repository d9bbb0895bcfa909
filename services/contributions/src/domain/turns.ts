/** Lets work under one key run one after the other within this process, so that it need not collide in the database. */
export interface Turns {
  /** Runs the work when all before it under this key is done; not at all if the signal has aborted by then. */
  take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Turns that spare collisions and decide nothing: other processes take theirs beside them. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    take(key, signal, work) {
      const turn = (last.get(key) ?? Promise.resolve()).then(() => {
        signal.throwIfAborted();
        return work();
      });
      const over = turn.then(
        () => forget(),
        () => forget(),
      );
      const forget = (): void => {
        if (last.get(key) === over) last.delete(key);
      };
      last.set(key, over);
      return turn;
    },
  };
}
