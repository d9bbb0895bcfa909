import { expect, it } from 'vitest';
import { agentTerm, languageTerm, purposeTerms, queryTerms, searchTerms } from './search-terms.js';

const contribution = {
  title: 'Über die Größe',
  body: 'Łódź zażółć, Straße; 知识库 e\u0301te\u0301. re\u200bfund',
  name: 'Søren',
  prompt: { id: 'p', question: 'Qu’est-ce qui a changé ?' },
  language: 'de-CH',
  agentName: 'Atlas É',
  purpose: null,
};
const terms = new Set(searchTerms(contribution));
const finds = (query: string): boolean => queryTerms(query).every((term) => terms.has(term));

it.each(['uber GROSSE', 'lodz', 'zazolc', 'STRASSE', 'soren', 'change', 'ete', 'refund', '知识', '知', '识库'])(
  'find %s',
  (query) => {
    expect(finds(query)).toBe(true);
  },
);

it.each(['ub', 'über nothing', '库识', 'atlas', 'de'])('do not find %s', (query) => {
  expect(finds(query)).toBe(false);
});

it('have the language, also without its region, and the agent', () => {
  expect(['de', 'de-CH'].every((tag) => terms.has(languageTerm(tag)))).toBe(true);
  expect(terms.has(languageTerm('en'))).toBe(false);
  expect(terms.has(agentTerm('ATLAS e'))).toBe(true);
});

it('have the purpose of a correction or report', () => {
  const report = searchTerms({ ...contribution, purpose: 'report' });
  expect(report).toEqual(expect.arrayContaining(purposeTerms('report')));
  expect(report).not.toEqual(expect.arrayContaining(purposeTerms('correction')));
});

it('are 32-bit numbers, at most 2,000', () => {
  const body = Array.from({ length: 3000 }, (_, at) => `w${at}`).join(' ');
  const many = searchTerms({ ...contribution, body });
  expect(many).toHaveLength(2000);
  expect(many.every((term) => Number.isInteger(term) && Math.abs(term) <= 2 ** 31)).toBe(true);
});

it('refuse a query without words, with too many, or too long', () => {
  expect(() => queryTerms(' … ')).toThrow('query must have a word.');
  expect(() => queryTerms('a b c d e f g h i j k')).toThrow('at most 10 words');
  expect(() => queryTerms('a'.repeat(501))).toThrow('at most 500 characters');
});
