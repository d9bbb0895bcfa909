import { createLogger, deferred, orAbort } from '@knowledge/runtime';
import { expect, it, vi } from 'vitest';
import type { Change } from '../../changes/log.js';
import type { ChangeListener } from '../../changes/stream.js';
import type { PublishedText, PublishedTexts, TextKey } from '../texts/search-text.js';
import { startIndexFeed } from './index-feed.js';
import { createTextIndex } from './text-index.js';

const { signal } = new AbortController();
const log = createLogger({ name: 'index feed', level: 'silent' });

/** A feed into an index in memory. Each read of texts waits until the test answers or fails it. */
async function openFeed(next: PublishedTexts['next'] = async () => []) {
  let listener: ChangeListener | undefined;
  const reads: { readonly keys: readonly TextKey[]; readonly answer: ReturnType<typeof deferred> }[] = [];
  const changeStream = {
    ...{ position: 0, upToDateAt: 0, following: true },
    sync: async () => 0,
    syncWhenFollowing: async () => 0,
    subscribe: (each: ChangeListener) => {
      listener = each;
      return () => undefined;
    },
    close: async () => undefined,
  };
  const texts = {
    async read(keys: readonly TextKey[], limit: AbortSignal): Promise<PublishedText[]> {
      if (keys.length === 0) return [];
      const answer = deferred();
      reads.push({ keys, answer });
      await orAbort(answer.promise, limit);
      return [];
    },
    readFound: async () => [],
    next,
  };
  const engine = createTextIndex(Number.POSITIVE_INFINITY, () => undefined);
  const feed = startIndexFeed({ engine, texts, changes: {} as never, changeStream, log });
  await feed.filled;
  return {
    settled: feed.settled,
    close: feed.close,
    change: (key: string) =>
      listener?.change({ subject: 'object', key, transition: { to: 'published' } } as unknown as Change),
    /** The read with this number, once it has begun. */
    read: (at: number) => vi.waitFor(() => reads[at] ?? Promise.reject(new Error(`There is no read ${at}.`))),
  };
}

/** Whether a promise is resolved after the present work. */
async function isResolved(promise: Promise<unknown>): Promise<boolean> {
  let resolved = false;
  promise.then(() => (resolved = true)).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20));
  return resolved;
}

it('waits for the changes before a call, not for later ones', async () => {
  const feed = await openFeed();
  await feed.settled(signal);
  feed.change('a');
  const settled = feed.settled(signal);
  const first = await feed.read(0);
  feed.change('b');
  expect(await isResolved(settled)).toBe(false);
  first.answer.resolve();
  expect(await isResolved(settled)).toBe(true);
  expect((await feed.read(1)).keys).toEqual(['object/b']);
  await feed.close();
});

it('reads a text again that changed during its read', async () => {
  const feed = await openFeed();
  feed.change('a');
  const first = await feed.read(0);
  feed.change('a');
  const settled = feed.settled(signal);
  first.answer.resolve();
  const again = await feed.read(1);
  expect(again.keys).toEqual(['object/a']);
  expect(await isResolved(settled)).toBe(false);
  again.answer.resolve();
  expect(await isResolved(settled)).toBe(true);
  await feed.close();
});

it('keeps texts whose read failed, oldest first, and reads each once', async () => {
  const feed = await openFeed();
  feed.change('a');
  const first = await feed.read(0);
  for (const key of ['b', 'a', 'c']) feed.change(key);
  first.answer.reject(new Error('no database'));
  expect((await feed.read(1)).keys).toEqual(['object/a', 'object/b', 'object/c']);
  await feed.close();
});

it('stops waiting when the caller does', async () => {
  const feed = await openFeed();
  feed.change('a');
  const call = new AbortController();
  const settled = feed.settled(call.signal);
  call.abort(new Error('gone'));
  await expect(settled).rejects.toThrow('gone');
  await expect(feed.settled(call.signal)).rejects.toThrow('gone');
  await feed.close();
});

it('goes on after the last text that it wrote when the read of the next ones fails', async () => {
  const words = {
    title: 'A walrus',
    summary: '',
    tags: [],
    author: '',
    body: 'It swims.',
    language: 'en',
    site: 'org',
  };
  const text = { key: 'article/org/walrus', kind: 'article', entry: { ...words, updatedAt: new Date(0) } };
  const asked: (TextKey | undefined)[] = [];
  const feed = await openFeed(async (after) => {
    asked.push(after);
    if (asked.length === 2) throw new Error('no database');
    return after === undefined ? [text as unknown as PublishedText] : [];
  });
  expect(asked).toEqual([undefined, text.key, text.key]);
  await feed.close();
});
