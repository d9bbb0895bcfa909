/** The actor of changes that the schedule makes. */
export const clockActor = 'contributions/clock';
