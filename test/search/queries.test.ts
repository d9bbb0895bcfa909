import { expect, test } from 'vitest';
import type { Floor } from './measures.js';
import { kinds, readQueries, readSampleDocuments, readYaml } from './queries.js';

const queries = readQueries();
const siteOf = new Map(readSampleDocuments().map(({ name, site }) => [name, site]));

test('every third query of each kind is held, and ids count the queries of their kind', () => {
  for (const kind of kinds) {
    const ofKind = queries.filter((query) => query.kind === kind);
    expect(ofKind.length, kind).toBeGreaterThan(5);
    const expected = ofKind.map((_, at) => ({
      id: `${kind}-${String(at + 1).padStart(2, '0')}`,
      set: (at + 1) % 3 === 0 ? 'held' : 'dev',
    }));
    expect(ofKind.map(({ id, set }) => ({ id, set }))).toEqual(expected);
  }
  expect(queries.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind))).toEqual([]);
});

test('every grade is 1, 2 or 3 and belongs to a document of the site', () => {
  const wrong = queries.flatMap(({ id, site, grades }) =>
    Object.entries(grades)
      .filter(([name, grade]) => {
        const itsSite = siteOf.get(name);
        return itsSite === undefined || (site !== 'all' && site !== itsSite) || ![1, 2, 3].includes(grade);
      })
      .map(([name, grade]) => `${id}: ${name} ${grade}`),
  );
  expect(wrong).toEqual([]);
});

test('a query has an answer of grade 3, or is negative and has no grade', () => {
  const wrong = queries.filter(({ kind, grades }) =>
    kind.endsWith('negative') ? Object.keys(grades).length > 0 : !Object.values(grades).includes(3),
  );
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('a query has a need in one sentence, words of its own and a length that the API takes', () => {
  const words = queries.map(({ query, site }) => `${site}: ${query}`);
  expect(new Set(words).size).toBe(words.length);
  const long = queries.filter(({ query }) => query.length > 500 || query.trim() !== query || query === '');
  expect(long.map(({ id }) => id)).toEqual([]);
  const noSentence = queries.filter(({ need }) => !/^[A-Z][^.]*\.$/.test(need));
  expect(noSentence.map(({ id }) => id)).toEqual([]);
});

test('every sample document answers a query', () => {
  const answers = new Set(queries.flatMap(({ grades }) => Object.keys(grades).filter((name) => grades[name] === 3)));
  expect([...siteOf.keys()].filter((name) => !answers.has(name))).toEqual([]);
});

test('every bound names a kind and has one side', () => {
  const floors = readYaml('floors.yaml') as Floor[];
  const wrong = floors.filter(
    ({ kind, least, most }) => !['all', ...kinds].includes(kind) || (least === undefined) === (most === undefined),
  );
  expect(wrong).toEqual([]);
});
