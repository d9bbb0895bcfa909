import { expect, it } from 'vitest';
import {
  checkArticleFilter,
  readArticleToken,
  readMatchToken,
  readPageSize,
  readTimeToken,
  writeArticleToken,
  writeTimeToken,
} from './listing.js';
import { encodePageToken } from './page-token.js';

const filter = { site: 'org', query: '', tag: '', updatedSince: undefined } as const;
const key = { publishedAt: new Date('2026-06-01T09:00:00.123Z'), slug: 'a' };
const refused = expect.objectContaining({ code: 'validation_error' });

it('accepts page sizes from 1 to 200, and uses 50 by default', () => {
  expect([0, 1, 200].map(readPageSize)).toEqual([50, 1, 200]);
  for (const size of [-1, 201, 1.5]) expect(() => readPageSize(size)).toThrow(refused);
});

it('writes a token that works only for the same listing', () => {
  const token = writeArticleToken(key, filter);
  expect(readArticleToken(token, filter)).toEqual(key);
  expect(writeArticleToken(undefined, filter)).toBe('');
  const others = [
    { ...filter, site: 'io' as const },
    { ...filter, query: 'q' },
    { ...filter, tag: 't' },
    { ...filter, updatedSince: new Date(0) },
  ];
  for (const other of others) expect(() => readArticleToken(token, other)).toThrow(refused);
  expect(() => readMatchToken(token, filter)).toThrow(refused);
});

it('keeps the exact score of a match', () => {
  const match = { ...key, score: 0.1 + 0.2 };
  expect(readMatchToken(writeArticleToken(match, filter), filter)).toEqual(match);
});

it('checks filters', () => {
  expect(() => checkArticleFilter({ ...filter, query: '🙂'.repeat(200), tag: 'a-1' })).not.toThrow();
  for (const bad of [
    { query: 'a'.repeat(201) },
    { tag: 'A' },
    { tag: 'a'.repeat(41) },
    { updatedSince: new Date(Number.NaN) },
  ]) {
    expect(() => checkArticleFilter({ ...filter, ...bad })).toThrow(refused);
  }
});

it('explains the fault of a filter or a size', () => {
  expect(() => readPageSize(201)).toThrow('page_size must be 1 to 200.');
  expect(() => checkArticleFilter({ ...filter, query: 'a'.repeat(201) })).toThrow(
    'query must have at most 200 characters.',
  );
  expect(() => checkArticleFilter({ ...filter, tag: 'A' })).toThrow(
    'tag must be 1 to 40 characters of a-z, 0-9 and hyphens.',
  );
  const updatedSince = new Date(Number.NaN);
  expect(() => checkArticleFilter({ ...filter, updatedSince })).toThrow('updated_since must be a time.');
  expect(() => checkArticleFilter({ ...filter, updatedSince: new Date(0) })).not.toThrow();
});

it('keeps a time and a name in the tokens of other listings', () => {
  const scope = ['objects', 'org'];
  const next = { at: new Date(5), name: 'x' };
  expect(readTimeToken(writeTimeToken(next, scope), scope)).toEqual(next);
  expect(writeTimeToken(undefined, scope)).toBe('');
  expect(readTimeToken('', scope)).toBeUndefined();
  expect(readArticleToken('', filter)).toBeUndefined();
  expect(readMatchToken('', filter)).toBeUndefined();
  expect(() => readTimeToken(encodePageToken(scope, [1e300, 'x']), scope)).toThrow(
    'page_token has no valid time; begin again without one.',
  );
});
