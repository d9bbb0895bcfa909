/** A source of the current time. Tests replace it by their own. */
export type Clock = () => Date;
