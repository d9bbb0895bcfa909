/** The actor for changes by the clock. */
export const clockActor = 'contributions/clock';
