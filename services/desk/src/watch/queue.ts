/** Runs tasks one after the other, in the order in which they were added. */
export interface TaskQueue {
  add(work: () => Promise<void>): void;
  /** Resolves when the queue can take another task. */
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
