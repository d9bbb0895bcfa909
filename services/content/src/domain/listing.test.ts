import { expect, it } from 'vitest';
import { checkArticleFilter, pageSize, readArticleToken, readMatchToken, writeArticleToken } from './listing.js';

const filter = { site: 'org', query: '', tag: '', updatedSince: undefined } as const;
const key = { publishedAt: new Date('2026-06-01T09:00:00.123Z'), slug: 'a' };
const refused = expect.objectContaining({ code: 'validation_error' });

it('takes pages of 1 to 200, and 50 where none is given', () => {
  expect([0, 1, 200].map(pageSize)).toEqual([50, 1, 200]);
  for (const size of [-1, 201, 1.5]) expect(() => pageSize(size)).toThrow(refused);
});

it('writes a token that leads on in the same listing only', () => {
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

it('keeps the score of a match exactly', () => {
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
