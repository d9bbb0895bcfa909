/** Counts what a text costs. A text that costs too much for its length is not read further. */
export class Meter {
  /** The line that is read now, counted from 0. */
  line = 0;
  #left: number;

  constructor(text: string, perUnit: number) {
    this.#left = 500 + perUnit * text.length;
  }

  /** @throws TooMuchWork */
  spend(cost: number): void {
    this.#left -= cost;
    if (this.#left < 0) throw new TooMuchWork(this.line);
  }
}

/** The end of reading a text whose work or output is out of proportion to its length. */
export class TooMuchWork extends Error {
  constructor(readonly line: number) {
    super(`A text costs too much for its length from line ${line + 1} on.`);
  }
}
