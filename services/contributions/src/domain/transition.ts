/** The actor of changes that the clock makes. */
export const clockActor = 'contributions/clock';
