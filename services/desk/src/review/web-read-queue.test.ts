import { describe, expect, it } from 'vitest';
import { readFilter, sentBetween, writeFilter } from './web-read-queue.js';

describe('the filter of the queue', () => {
  it('shows what waits for review, oldest first, if nothing is asked', () => {
    const filter = readFilter({});
    expect(filter).toMatchObject({ state: 'pending_review', type: '', order: 'oldest', page: '' });
    expect(writeFilter(filter)).toBe('');
  });

  it('is the same after it was written into a link', () => {
    const asked = {
      ...{
        state: 'any',
        type: 'story',
        site: 'org',
        language: 'pl',
        age: 'week',
        agent: 'A & B',
        sender: 'a@b.example',
      },
      ...{ group: 'link:a.example', words: '"certificate" expired', order: 'risk', page: 'x=+/' },
    };
    const filter = readFilter(asked);
    expect(filter).toEqual(asked);
    expect(readFilter(Object.fromEntries(new URLSearchParams(writeFilter(filter))))).toEqual(filter);
  });

  it('takes no word that it does not know, no list and no endless text', () => {
    const filter = readFilter({ state: 'gone', type: ['story'], language: '<b>', age: 'x', words: 'x'.repeat(9000) });
    expect(filter).toMatchObject({ state: 'pending_review', type: '', language: '<b>', age: '' });
    expect(filter.words).toHaveLength(500);
  });

  it('leads to the first page if a condition changes', () => {
    expect(writeFilter(readFilter({ page: 'abc', site: 'io' }), { page: '' })).toBe('?site=io');
  });

  it('knows ages as times', () => {
    const now = Date.parse('2026-11-23T12:00:00Z');
    expect(sentBetween('day', now)).toEqual({ since: new Date('2026-11-22T12:00:00Z') });
    expect(sentBetween('over-week', now)).toEqual({ before: new Date('2026-11-16T12:00:00Z') });
    expect(sentBetween('', now)).toEqual({});
  });
});
