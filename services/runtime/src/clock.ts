/** Returns the current time. Tests pass their own clock. */
export type Clock = () => Date;
