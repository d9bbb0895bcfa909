import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ArticleEntry } from './article.js';
import { isAfter, positionOfMatch, rankMatches, searchWords } from './search.js';

const entry = (slug: string, part: Partial<ArticleEntry> = {}) =>
  ({
    ...{ site: 'org', slug, title: '', summary: '', tags: [], author: '', language: 'en', wordCount: 1, revision: 1 },
    ...{ publishedAt: new Date('2026-01-01'), updatedAt: new Date('2026-01-01'), ...part },
  }) as ArticleEntry;

it('uses at most eight different words of a query', () => {
  expect(searchWords('  "Roll-out" of SSO, sso!  ')).toEqual(['roll', 'out', 'of', 'sso']);
  expect(searchWords('a b c d e f g h i j')).toHaveLength(8);
  expect(searchWords('-"()$ \0')).toEqual([]);
});

it('ranks by title, tag, summary, text and the number of words, then newest, then slug', () => {
  const both = entry('both', { title: 'Rollout of SSO' });
  const title = entry('title', { title: 'Rollout' });
  const tag = entry('tag', { tags: ['sso-2'] });
  const summary = entry('summary', { summary: 'Of sso' });
  const text = entry('a-text');
  const newer = entry('newer', { publishedAt: new Date('2026-01-02') });
  const ranked = rankMatches(
    ['rollouts', 'sso'],
    [
      [text, newer, title, both],
      [summary, tag, both],
    ],
  );
  expect(ranked.map((match) => match.entry.slug)).toEqual(['both', 'title', 'tag', 'summary', 'newer', 'a-text']);
});

it('ranks alike in whatever order entries come, and goes on after any of them without a gap or a repeat', () => {
  const part = fc.record({
    slug: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    title: fc.constantFrom('', 'About SSO'),
    publishedAt: fc.constantFrom(new Date('2026-01-01'), new Date('2026-01-02')),
  });
  const parts = fc.uniqueArray(part, { selector: ({ slug }) => slug });
  fc.assert(
    fc.property(parts, (each) => {
      const entries = each.map(({ slug, ...rest }) => entry(slug, rest));
      const ranked = rankMatches(['sso'], [entries]);
      expect(rankMatches(['sso'], [entries.toReversed()])).toEqual(ranked);
      for (const [index, match] of ranked.entries())
        expect(ranked.filter((other) => isAfter(other, positionOfMatch(match)))).toEqual(ranked.slice(index + 1));
    }),
  );
});

it('finds a word in any case by its stem, without the endings of long words', () => {
  const score = (word: string, part: Partial<ArticleEntry>) => rankMatches([word], [[entry('a', part)]])[0]?.score;
  expect(score('sso', { title: 'About SSO' })).toBe(11);
  expect(score('sso', { tags: ['x', 'sso-2'] })).toBe(6);
  expect(score('sso', { summary: 'About SSO' })).toBe(4);
  expect(score('sso', { title: 'sso', summary: 'sso', tags: ['sso'] })).toBe(19);
  for (const word of ['deploys', 'deploying', 'deployed']) expect(score(word, { title: 'A deploy' })).toBe(11);
  expect(score('fixes', { title: 'A fix' })).toBe(11);
  expect(score('uses', { title: 'One use' })).toBe(1);
  expect(score('singer', { title: 'A sing along' })).toBe(1);
  expect(score('singer', { title: 'A singer' })).toBe(11);
});

it('adds up the scores of all words, and sorts articles without a time last', () => {
  const draft = entry('draft', { publishedAt: undefined as unknown as Date });
  const ranked = rankMatches(['aaa', 'bbb'], [[draft, entry('a')], [entry('a')]]);
  expect(ranked.map(({ entry: { slug }, score }) => [slug, score])).toEqual([
    ['a', 2],
    ['draft', 1],
  ]);
  expect(ranked.map(positionOfMatch)[1]).toEqual({ score: 1, at: new Date(0), id: 'draft' });
});
