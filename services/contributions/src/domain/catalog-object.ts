import type { Contribution } from './contribution.js';
import { shorten } from './text.js';

/** The longest title that the catalog takes. */
const titleMax = 200;

/** The title of a contribution in the catalog: a story's own; a reply says what it replies to, since it has none. */
export function catalogTitle({ title, prompt }: Contribution): string {
  if (prompt === null) return title ?? '';
  return shorten(`Reply to: ${prompt.question.replace(/\s+/g, ' ').trim()}`, titleMax);
}
