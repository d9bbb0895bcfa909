import type { Filter } from 'mongodb';

/**
 * The condition of a page after a key, for the order "time descending, name ascending". Written as two ranges, which the
 * server merges, so that it reads the entries of the page and no others.
 */
export function afterKey<Document>(
  time: keyof Document & string,
  name: keyof Document & string,
  key: { at: Date; name: string } | undefined,
): Filter<Document> {
  if (key === undefined) return {};
  return {
    $or: [{ [time]: key.at, [name]: { $gt: key.name } }, { [time]: { $lt: key.at } }],
  } as Filter<Document>;
}

/** Cuts what was read, one more than asked, to a page and the last entry of it if there are more. */
export function cut<Entry>(
  found: readonly Entry[],
  size: number,
): { entries: readonly Entry[]; last: Entry | undefined } {
  if (found.length <= size) return { entries: found, last: undefined };
  const entries = found.slice(0, size);
  return { entries, last: entries.at(-1) };
}
