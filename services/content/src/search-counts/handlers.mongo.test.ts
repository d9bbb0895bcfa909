import { randomBytes } from 'node:crypto';
import { type CountedSearch, SearchEvent } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, expect, it } from 'vitest';
import { asEditor, serveContent } from '../testing/serve-content.js';
import { createSearchCountStore, searchCountCollections, searchCountsSchema } from './store.js';

const served = await serveContent();
afterAll(() => served.close());

const { FOUND, NOT_FOUND, READ } = SearchEvent;
/** Names that seldom share a number; enough of them have at least five numbers. */
const readers = Array.from({ length: 40 }, () => randomBytes(16).toString('hex'));
const by = (query: string, event: SearchEvent, who = readers): CountedSearch[] =>
  who.map((reader) => ({ query, reader, event }));
const counts = () => served.db.collection('search_counts').find().toArray();
const gaps = async () => (await served.searchCounts.listSearchGaps({ limit: 0 }, asEditor)).gaps;

it('stores no words of few readers, and never a reader', async () => {
  const few = readers.slice(0, 4);
  await served.searchCounts.countSearches({ searches: by('rare words', FOUND, few) }, asEditor);
  const [stored, ...others] = await counts();
  expect(others).toEqual([]);
  expect(Object.keys(stored ?? {}).sort()).toEqual(['_id', 'expireAt', 'missed', 'read', 'searched']);
  const text = JSON.stringify(stored);
  for (const part of ['rare', 'words', ...few]) expect(text).not.toContain(part);
  expect(await gaps()).toEqual([]);
});

it('shows words of many readers, with those who found nothing and read nothing', async () => {
  const { searchCounts } = served;
  await searchCounts.countSearches({ searches: by('Not there?', NOT_FOUND) }, asEditor);
  await searchCounts.countSearches({ searches: by('found it', FOUND) }, asEditor);
  await searchCounts.countSearches({ searches: by('found it', READ) }, asEditor);
  const before = await gaps();
  expect(before.map(({ words }) => words)).toEqual(['not there', 'found it']);
  const [missing, found] = before;
  expect(missing?.readers).toBeGreaterThanOrEqual(5);
  expect(missing).toMatchObject({ notFound: missing?.readers, notRead: 0 });
  expect(found).toMatchObject({ notFound: 0, notRead: 0 });
  await searchCounts.countSearches({ searches: by('found it', FOUND) }, asEditor);
  expect(await gaps()).toEqual(before);
});

it('leaves out what it cannot count, and refuses too much', async () => {
  const before = await counts();
  const searches = [
    { query: 'ann@example.org', reader: 'r', event: FOUND },
    { query: 'no reader', reader: '', event: FOUND },
    { query: 'long reader', reader: 'r'.repeat(101), event: FOUND },
    { query: 'no event', reader: 'r', event: SearchEvent.UNSPECIFIED },
    { query: 'x '.repeat(501), reader: 'r', event: FOUND },
  ];
  await served.searchCounts.countSearches({ searches }, asEditor);
  expect(await counts()).toHaveLength(before.length);
  const tooMany = Array.from({ length: 501 }, () => ({ query: 'a', reader: 'r', event: FOUND }));
  const { searchCounts } = served;
  const refused = { code: 'validation_error' };
  await expect(searchCounts.countSearches({ searches: tooMany }, asEditor)).rejects.toMatchObject(refused);
  await expect(searchCounts.listSearchGaps({ limit: 201 }, asEditor)).rejects.toMatchObject(refused);
});

it('forgets after 30 days, makes a new salt a week, and bounds the number of counts', async () => {
  const { db, close } = openTestDatabase('searchCounts');
  try {
    await applySchema(db, searchCountsSchema);
    const collections = searchCountCollections(db);
    const store = createSearchCountStore(collections, { maxCounts: 2 });
    const { signal } = new AbortController();
    const day = 24 * 3_600_000;
    // The beginning of a week in the future, so that the server deletes nothing during the test.
    const start = new Date(Math.ceil(Date.now() / (7 * day)) * 7 * day);
    const after = (days: number) => new Date(start.getTime() + days * day);
    const searches = readers.map((reader) => ({ words: 'sso', reader, event: 'found' as const }));
    await store.count(searches, start, signal);
    expect(await store.shown(after(29), signal)).toHaveLength(1);
    expect(await store.shown(after(30), signal)).toEqual([]);
    // Two replicas count in the next week at the same time.
    const other = createSearchCountStore(collections, { maxCounts: 3 });
    await Promise.all([store.count(searches, after(8), signal), other.count(searches, after(8), signal)]);
    expect(await collections.salts.countDocuments()).toBe(2);
    expect(await collections.counts.countDocuments()).toBe(2);
    await store.count([{ words: 'one too many', reader: 'r', event: 'found' }], after(8), signal);
    expect(await collections.counts.countDocuments()).toBe(2);
    const salts = await collections.salts.find().sort({ expireAt: 1 }).toArray();
    expect(salts.map(({ expireAt }) => expireAt)).toEqual([after(7), after(14)]);
    const ttl = await collections.salts.indexes();
    expect(ttl).toContainEqual(expect.objectContaining({ name: 'expiry', expireAfterSeconds: 0 }));
  } finally {
    await close();
  }
});
