import type { CountReadsRequest, CountSearchesRequest } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { expect, it } from 'vitest';
import { createSearchCounts, textKey } from './search-counts.js';

const key = textKey.article('org', 'a');

/** Collects what would be sent to content. */
function collected(fails = false) {
  const sent: CountSearchesRequest[] = [];
  const reads: CountReadsRequest[] = [];
  const counts = createSearchCounts({
    countSearches: async (request) => {
      sent.push(request);
      if (fails) throw new Error('not reached');
      return {};
    },
    countReads: async (request) => {
      reads.push(request);
      return {};
    },
  });
  return { counts, sent, reads };
}

it('tells whether a search found something, and never who searched', async () => {
  const { counts, sent } = collected();
  counts.searched('address 203.0.113.7', 'what', [key]);
  counts.searched('address 203.0.113.7', 'nothing', []);
  counts.searched('address 203.0.113.8', 'what', [key]);
  await counts.close();
  expect(sent).toEqual([
    {
      searches: [
        { query: 'what', reader: expect.any(String), event: 'SEARCH_EVENT_FOUND' },
        { query: 'nothing', reader: expect.any(String), event: 'SEARCH_EVENT_NOT_FOUND' },
        { query: 'what', reader: expect.any(String), event: 'SEARCH_EVENT_FOUND' },
      ],
    },
  ]);
  const [first, second, third] = sent[0]?.searches.map(({ reader }) => reader) ?? [];
  expect([first === second, first === third]).toEqual([true, false]);
  expect(JSON.stringify(sent)).not.toContain('203.0.113');
});

it('counts a read for the last searches of its reader that found the text', async () => {
  const { counts, sent } = collected();
  for (const query of ['first', 'second', 'third', 'fourth']) counts.searched('ada', query, [key]);
  counts.searched('ada', 'elsewhere', [textKey.object('o')]);
  counts.read('ada', key);
  counts.read('grace', key);
  counts.read('ada', textKey.article('io', 'a'));
  await counts.close();
  const reads = sent[0]?.searches.filter(({ event }) => event === 'SEARCH_EVENT_READ') ?? [];
  expect(reads.map(({ query }) => query)).toEqual(['fourth', 'third']);
});

it('is bounded, and loses counts where content does not take them', async () => {
  const { counts, sent } = collected(true);
  for (let at = 0; at < 600; at += 1) counts.searched('ada', `query ${at}`, []);
  await counts.close();
  expect(sent[0]?.searches).toHaveLength(500);
});

it('counts how often each article is read, in one batch and without readers', async () => {
  const { counts, reads } = collected();
  counts.read('address 203.0.113.7', key);
  counts.read('address 203.0.113.8', key);
  counts.read('address 203.0.113.8', textKey.article('io', 'b'));
  counts.read('address 203.0.113.8', textKey.object('c'));
  await counts.close();
  const read = [
    { site: 'SITE_ORG', slug: 'a', reads: 2 },
    { site: 'SITE_IO', slug: 'b', reads: 1 },
  ];
  expect(reads).toEqual([{ batch: expect.any(String), reads: read }]);
});
