import { expect, it } from 'vitest';
import type { ArticleEntry } from './article.js';
import { isAfter, keyOfMatch, rankMatches, searchWords } from './search.js';

const entry = (slug: string, part: Partial<ArticleEntry> = {}) =>
  ({
    ...{ site: 'org', slug, title: '', summary: '', tags: [], author: '', language: 'en', wordCount: 1, revision: 1 },
    ...{ publishedAt: new Date('2026-01-01'), updatedAt: new Date('2026-01-01'), ...part },
  }) as ArticleEntry;

it('takes the words of a query, each once, at most eight', () => {
  expect(searchWords('  "Roll-out" of SSO, sso!  ')).toEqual(['roll', 'out', 'of', 'sso']);
  expect(searchWords('a b c d e f g h i j')).toHaveLength(8);
  expect(searchWords('-"()$ \0')).toEqual([]);
});

it('ranks by title, tag, summary, text and the number of words, then the newest, then the slug', () => {
  const both = entry('both', { title: 'Rollout of SSO' });
  const title = entry('title', { title: 'Rollout' });
  const tag = entry('tag', { tags: ['sso-2'] });
  const summary = entry('summary', { summary: 'Of sso' });
  const text = entry('text');
  const newer = entry('newer', { publishedAt: new Date('2026-01-02') });
  const ranked = rankMatches(
    ['rollouts', 'sso'],
    [
      [text, newer, title, both],
      [summary, tag, both],
    ],
  );
  expect(ranked.map((match) => match.entry.slug)).toEqual(['both', 'title', 'tag', 'summary', 'newer', 'text']);
  for (const [index, match] of ranked.entries()) {
    const after = ranked.filter((each) => isAfter(each, keyOfMatch(match)));
    expect(after).toEqual(ranked.slice(index + 1));
  }
});
