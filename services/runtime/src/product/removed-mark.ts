/** What stands in place of a passage that a moderator took out of a text. */
export const removedMark = '[removed by a moderator]';
