import { randomBytes } from 'node:crypto';
import { until } from '../harness/until.js';

const { SEARCH_URL } = process.env;
const index = `bench-${randomBytes(4).toString('hex')}`;

/** The settings with which content searches in the cluster of `SEARCH_URL`, in an index of its own; none without it. */
export const clusterSettings: Readonly<Record<string, string>> =
  SEARCH_URL === undefined ? {} : { SEARCH_URL, SEARCH_INDEX: index };

/** Waits until a cluster has this many texts. Without one there is nothing to wait for. */
export async function untilIndexed(texts: number): Promise<void> {
  if (SEARCH_URL === undefined) return;
  const path = `${SEARCH_URL}/${index}-1/_count?q=_exists_:key`;
  const counted = async () => ((await (await fetch(path)).json()) as { count: number }).count === texts;
  await until(`${texts} texts in the cluster`, counted, 3_600_000, 100);
}

/** Deletes the index of this run. */
export async function dropIndex(): Promise<void> {
  if (SEARCH_URL !== undefined) await fetch(`${SEARCH_URL}/${index}-1`, { method: 'DELETE' });
}
