/** For how many seconds a held decision can be undone before it takes effect. */
export const heldSeconds = 30;
