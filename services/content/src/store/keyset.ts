import type { Filter } from 'mongodb';

/**
 * A query and the condition of a page after a key, for the order "time descending, name ascending". Written as two whole
 * ranges, which the server merges: it reads the entries of the page and no others, and plans them as fast as a first page.
 */
export function afterKey<Document>(
  query: Filter<Document>,
  time: keyof Document & string,
  name: keyof Document & string,
  key: { at: Date; name: string } | undefined,
): Filter<Document> {
  if (key === undefined) return query;
  const ranges = [
    { ...query, [time]: key.at, [name]: { $gt: key.name } },
    { ...query, [time]: { $lt: key.at } },
  ];
  return { $or: ranges } as Filter<Document>;
}

/** Cuts what was read, one more than asked, to a page and the last entry of it if there are more. */
export function cutPage<Entry>(
  found: readonly Entry[],
  size: number,
): { entries: readonly Entry[]; last: Entry | undefined } {
  if (found.length <= size) return { entries: found, last: undefined };
  const entries = found.slice(0, size);
  return { entries, last: entries.at(-1) };
}
