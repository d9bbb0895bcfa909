/** Tells the time; the composition root decides which clock. */
export type Clock = () => Date;
