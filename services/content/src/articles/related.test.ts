import { expect, it } from 'vitest';
import { chooseRelated } from './read.js';

const candidate = (slug: string, tags: string[], day: number) => ({
  ...{ slug, tags, title: slug.toUpperCase() },
  publishedAt: new Date(Date.UTC(2026, 0, day)),
});

it('sorts by the number of shared tags, then newest, then slug; at most three, never the article itself', () => {
  const chosen = chooseRelated({ slug: 'me', tags: ['a', 'b', 'c'] }, [
    candidate('me', ['a', 'b', 'c'], 9),
    candidate('one', ['a'], 9),
    candidate('none', ['x'], 9),
    candidate('two-old', ['a', 'b'], 1),
    candidate('two-new-b', ['b', 'c', 'x'], 5),
    candidate('two-new-a', ['a', 'c'], 5),
    candidate('two-old', ['a', 'b'], 1),
  ]);
  expect(chosen.map(({ slug }) => slug)).toEqual(['two-new-a', 'two-new-b', 'two-old']);
});

it('returns nothing for an article without tags', () => {
  expect(chooseRelated({ slug: 'me', tags: [] }, [candidate('one', ['a'], 1)])).toEqual([]);
});

it('sorts equal articles by slug, in whatever order they were given', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((slug) => candidate(slug, ['x'], 1)) as [Candidate, Candidate, Candidate];
  const chosen = (...order: Candidate[]) => chooseRelated({ slug: 'me', tags: ['x'] }, order);
  expect([chosen(a, b, c), chosen(c, b, a), chosen(b, c, a)]).toEqual(Array(3).fill([a, b, c]));
});

type Candidate = ReturnType<typeof candidate>;
