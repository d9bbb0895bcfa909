/** What the time is; the composition root decides which clock. */
export type Clock = () => Date;
