/** Large files on a busy database need more time, so these calls have a longer deadline. */
export const importLimits = { deadlineMs: 10_000 };
