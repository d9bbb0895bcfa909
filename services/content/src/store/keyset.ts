import type { Filter } from 'mongodb';

/**
 * The query of the page after a key, for the order "time descending, name ascending". It consists of two ranges that the server
 * merges, so the server reads only the entries of the page.
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

/** Makes a page of entries that were read with a limit one larger. `next` is set if more follow. */
export function cutPage<Entry>(
  found: readonly Entry[],
  size: number,
): { entries: readonly Entry[]; last: Entry | undefined } {
  if (found.length <= size) return { entries: found, last: undefined };
  const entries = found.slice(0, size);
  return { entries, last: entries.at(-1) };
}
