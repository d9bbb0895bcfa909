/** Runs tasks one after the other, in order. */
export interface TaskQueue {
  add(work: () => Promise<void>): void;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  /** Resolves when all tasks are done. */
  empty(): Promise<void>;
}

const maxPending = 200;

export function createTaskQueue(): TaskQueue {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add(work) {
      waiting++;
      last = last.then(work).finally(() => {
        waiting--;
      });
    },
    room: () => (waiting < maxPending ? Promise.resolve() : last),
    empty: () => last,
  };
}
