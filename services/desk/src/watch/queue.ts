/** Work that is done one after the other, in the order in which it came. */
export interface TaskQueue {
  add(work: () => Promise<void>): void;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  /** Resolves when all of it is done. */
  empty(): Promise<void>;
}

const maxPending = 200;

/** A queue that asks those who fill it to wait. */
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
