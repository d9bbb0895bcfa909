/** Work that is done one after the other, in the order in which it came. */
export interface Queue {
  add(work: () => Promise<void>): void;
  /** Resolves when there is room for more. */
  room(): Promise<void>;
  /** Resolves when all of it is done. */
  empty(): Promise<void>;
}

const most = 200;

/** A queue that asks those who fill it to wait. */
export function createQueue(): Queue {
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    add(work) {
      waiting++;
      last = last.then(work).finally(() => {
        waiting--;
      });
    },
    room: () => (waiting < most ? Promise.resolve() : last),
    empty: () => last,
  };
}
