import { describe, expect, test } from 'vitest';
import { admitsNothing, figuresOf, missedFloors, ndcg, type Outcome, select, succeeds } from './measures.js';
import type { Grade, Kind, QuerySet } from './queries.js';

interface Given {
  kind?: Kind;
  set?: QuerySet;
  grades?: Record<string, Grade>;
  found?: string[];
  weak?: string[];
}

/** An outcome in which a answers the need and b helps much, unless told otherwise. */
function outcome({ kind = 'plain', set = 'dev', grades = { a: 3, b: 2 }, found = [], weak = [] }: Given): Outcome {
  return {
    query: { id: 'q', kind, set, site: 'org', need: 'A need.', query: 'words', grades },
    hits: found.map((document) => ({ document, weak: weak.includes(document) })),
  };
}

const others = (count: number): string[] => Array.from({ length: count }, (_, at) => `other-${at}`);

describe('nDCG at ten', () => {
  test('is 1 for the best order, whatever follows', () => {
    expect(ndcg(outcome({ found: ['a', 'b'] }))).toBe(1);
    expect(ndcg(outcome({ found: ['a', 'b', ...others(20)] }))).toBe(1);
  });

  test('is 0 without hits and for hits that do not help', () => {
    expect(ndcg(outcome({ found: [] }))).toBe(0);
    expect(ndcg(outcome({ found: others(10) }))).toBe(0);
  });

  test('weighs a grade by 2 to its power less 1, and a rank by the logarithm', () => {
    // The gains are 7 and 3; the discounts of ranks 1, 2 and 3 are 1, log2(3) and 2.
    const ideal = 7 + 3 / Math.log2(3);
    expect(ndcg(outcome({ found: ['b', 'a'] }))).toBeCloseTo((3 + 7 / Math.log2(3)) / ideal, 12);
    expect(ndcg(outcome({ found: ['x', 'y', 'a'] }))).toBeCloseTo(7 / 2 / ideal, 12);
  });

  test('counts the tenth hit and not the eleventh', () => {
    const grades = { a: 3 } as const;
    expect(ndcg(outcome({ grades, found: [...others(9), 'a'] }))).toBeCloseTo(1 / Math.log2(11), 12);
    expect(ndcg(outcome({ grades, found: [...others(10), 'a'] }))).toBe(0);
  });

  test('reaches 1 although more than ten documents help', () => {
    const grades = Object.fromEntries(others(12).map((name) => [name, 2 as Grade]));
    expect(ndcg(outcome({ grades, found: others(10) }))).toBeCloseTo(1, 12);
  });

  test('does not take a word of the language for a document', () => {
    expect(ndcg(outcome({ found: ['constructor', 'toString'] }))).toBe(0);
  });
});

describe('success at three', () => {
  test('needs a document of grade 2 or more among the first three', () => {
    expect(succeeds(outcome({ found: ['x', 'y', 'b'] }))).toBe(true);
    expect(succeeds(outcome({ found: ['x', 'y', 'z', 'a'] }))).toBe(false);
    expect(succeeds(outcome({ grades: { a: 1 }, found: ['a'] }))).toBe(false);
    expect(succeeds(outcome({ found: [] }))).toBe(false);
  });
});

describe('a negative query', () => {
  test('is admitted by no hit, or by marks on the first three', () => {
    expect(admitsNothing(outcome({ found: [] }))).toBe(true);
    expect(admitsNothing(outcome({ found: ['x', 'y', 'z', 'sure'], weak: ['x', 'y', 'z'] }))).toBe(true);
    expect(admitsNothing(outcome({ found: ['x'], weak: ['x'] }))).toBe(true);
    expect(admitsNothing(outcome({ found: ['x', 'sure', 'z'], weak: ['x', 'z'] }))).toBe(false);
  });
});

describe('figures', () => {
  const outcomes = [
    outcome({ found: ['a', 'b'] }),
    outcome({ found: [] }),
    outcome({ kind: 'tag', found: ['x', 'y', 'z', 'a'], set: 'held' }),
    outcome({ kind: 'negative', grades: {}, found: ['x'] }),
    outcome({ kind: 'negative', grades: {}, found: ['x'], weak: ['x'] }),
  ];

  test('are means; negative queries count only for the mark', () => {
    expect(figuresOf(select(outcomes, 'all', 'dev'))).toEqual({
      queries: 4,
      ndcg: 0.5,
      success: 0.5,
      noHits: 0.5,
      helpfulWeak: 0,
      allWeak: 0,
      weak: 0.5,
      confident: 0.5,
    });
  });

  test('tell which hits are marked as weak', () => {
    const marked = [
      outcome({ found: ['a', 'b', 'x'], weak: ['b', 'x'] }),
      outcome({ found: ['a', 'x'], weak: ['a', 'x'] }),
      outcome({ kind: 'negative', grades: {}, found: [...others(9), 'y'], weak: others(9) }),
    ];
    expect(figuresOf(marked)).toMatchObject({ allWeak: 0.5, weak: 1, confident: 1 });
    expect(figuresOf(marked).helpfulWeak).toBeCloseTo(2 / 3);
  });

  test('are undefined where nothing counts', () => {
    const { success, weak } = figuresOf(select(outcomes, 'tag', 'held'));
    expect({ success, weak }).toEqual({ success: 0, weak: undefined });
    expect(figuresOf(select(outcomes, 'negative', 'dev')).ndcg).toBeUndefined();
    expect(figuresOf([])).toEqual({
      queries: 0,
      ndcg: undefined,
      success: undefined,
      noHits: undefined,
      helpfulWeak: undefined,
      allWeak: undefined,
      weak: undefined,
      confident: undefined,
    });
  });

  test('that miss their bound are named, in both directions', () => {
    const floor = { kind: 'all', set: 'dev' } as const;
    expect(
      missedFloors(outcomes, [
        { ...floor, measure: 'ndcg', least: 0.5 },
        { ...floor, measure: 'noHits', most: 0.5 },
      ]),
    ).toEqual([]);
    expect(
      missedFloors(outcomes, [
        { ...floor, measure: 'ndcg', least: 0.51 },
        { ...floor, measure: 'noHits', most: 0.49 },
        { kind: 'author', set: 'held', measure: 'success', least: 0.1 },
      ]),
    ).toEqual([
      'ndcg of all queries in dev: 0.500 is below 0.51',
      'noHits of all queries in dev: 0.500 is above 0.49',
      'success of author queries in held: no query counts',
    ]);
  });
});
