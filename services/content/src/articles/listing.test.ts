import { pageToken, readPageQuery } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { articleScope, checkArticleFilter } from './listing.js';

const filter = { site: 'org', query: '', tag: '', updatedSince: undefined } as const;
const scope = articleScope(filter);
const position = { at: new Date('2026-06-01T09:00:00.123Z'), id: 'a' };
const refused = expect.objectContaining({ code: 'validation_error' });
const page = (token: string) => ({ pageSize: 0, pageToken: token });

it('writes a token that works only for the same listing', () => {
  const token = pageToken(position, scope);
  expect(readPageQuery(page(token), scope)).toEqual({ size: 50, after: position });
  const others = [{ site: 'io' as const }, { query: 'q' }, { tag: 't' }, { updatedSince: new Date(0) }];
  for (const other of others)
    expect(() => readPageQuery(page(token), articleScope({ ...filter, ...other }))).toThrow(refused);
  const since = (ms: number) => articleScope({ ...filter, updatedSince: new Date(ms) });
  expect(() => readPageQuery(page(pageToken(position, since(1))), since(2))).toThrow(refused);
});

it.each([
  [{ query: 'a'.repeat(501) }, 'query must have at most 500 characters.'],
  [{ tag: 'A' }, 'tag must be 1 to 40 characters of a-z, 0-9 and hyphens.'],
  [{ tag: 'a'.repeat(41) }, 'tag must be 1 to 40 characters of a-z, 0-9 and hyphens.'],
  [{ updatedSince: new Date(Number.NaN) }, 'updated_since must be a time.'],
])('refuses the filter %j', (part, message) => {
  const fault = expect.objectContaining({ code: 'validation_error', message });
  expect(() => checkArticleFilter({ ...filter, ...part })).toThrow(fault);
});

it('takes a filter at its bounds', () => {
  const most = { query: '🙂'.repeat(500), tag: 'a-1', updatedSince: new Date(0) };
  expect(() => checkArticleFilter({ ...filter, ...most })).not.toThrow();
});
