import { type CountedSearch, SearchEvent } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { createLogger } from '@knowledge/runtime';
import { expect, it, vi } from 'vitest';
import { articleKey, createSearchCounts, type SearchCountsOptions } from './search-counts.js';

const log = createLogger({ name: 'search-counts', level: 'silent' });
const { FOUND, NOT_FOUND, READ } = SearchEvent;

/** Collects the calls. A call waits until the test lets it end, or answers at once. */
function receiver(mode = { atOnce: false }) {
  const calls: CountedSearch[][] = [];
  const open: { end: () => void; fail: (error: Error) => void }[] = [];
  const countSearches = (({ searches }: { searches: CountedSearch[] }) => {
    calls.push(searches);
    if (mode.atOnce) return Promise.resolve({});
    return new Promise((resolve, reject) => open.push({ end: () => resolve({}), fail: reject }));
  }) as SearchCountsOptions['client']['countSearches'];
  const events = () => calls.flat().map(({ query, reader, event }) => [query, reader, event]);
  return { calls, open, events, client: { countSearches } };
}

const text = articleKey('org', 'rolling-out-sso');

it('counts a search, and a read of what it found, once', async () => {
  const { client, calls, open, events } = receiver();
  const counts = createSearchCounts({ client, log, gatherMs: 1 });
  counts.searched('ann', { query: 'sso', fitting: [text, 'org/other'] });
  counts.searched('ann', { query: 'nothing there', fitting: [] });
  counts.read('bob', text);
  counts.read('ann', 'org/elsewhere');
  counts.read('ann', text);
  counts.read('ann', text);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(events()).toEqual([
    ['sso', 'ann', FOUND],
    ['nothing there', 'ann', NOT_FOUND],
    ['sso', 'ann', READ],
  ]);
  for (const { end } of open) end();
  await counts.close();
  expect(calls).toHaveLength(1);
});

it('remembers the last three searches of a reader', async () => {
  const { client, events, open, calls } = receiver();
  const counts = createSearchCounts({ client, log, gatherMs: 1 });
  for (const query of ['one', 'two', 'three', 'four']) counts.searched('ann', { query, fitting: [text] });
  counts.read('ann', text);
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  const reads = events().flatMap(([query, , event]) => (event === READ ? [query] : []));
  expect(reads).toEqual(['four', 'three', 'two']);
  for (const { end } of open) end();
  await counts.close();
});

it('makes one call at a time, drops what is too much, and goes on after a failed call', async () => {
  const mode = { atOnce: false };
  const { client, calls, open } = receiver(mode);
  const counts = createSearchCounts({ client, log, gatherMs: 1 });
  const search = (query: string) => counts.searched('ann', { query, fitting: [] });
  for (let index = 0; index < 2_000; index++) search(`query ${index}`);
  expect(calls.map(({ length }) => length)).toEqual([200]);
  open[0]?.fail(new Error('content is down'));
  for (let at = 1; at <= 5; at++) {
    await vi.waitFor(() => expect(calls).toHaveLength(at + 1));
    open[at]?.end();
  }
  expect(calls.flat()).toHaveLength(1_200);
  mode.atOnce = true;
  search('later');
  await vi.waitFor(() => expect(calls.flat().at(-1)?.query).toBe('later'));
  await counts.close();
});

it('cuts long queries, sends the rest when it closes, and nothing after', async () => {
  const { client, calls, open } = receiver();
  const counts = createSearchCounts({ client, log, gatherMs: 60_000 });
  counts.searched('ann', { query: 'x'.repeat(1_000), fitting: [] });
  const closing = counts.close();
  await vi.waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.[0]?.query).toHaveLength(500);
  for (const { end } of open) end();
  await closing;
  counts.searched('ann', { query: 'late', fitting: [] });
  await counts.close();
  expect(calls).toHaveLength(1);
});
