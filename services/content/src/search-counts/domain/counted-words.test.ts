import { expect, it } from 'vitest';
import { countedWords } from './counted-words.js';

it.each([
  ['  Réversibilité: "fin d\'infogérance"? ', 'réversibilité fin d infogérance'],
  ['ＳＳＯ rollout', 'sso rollout'],
  ['ISO 27001', 'iso 27001'],
  ['tls 1.3', 'tls 1 3'],
  ['a b c d e f g h i j k l m n', 'a b c d e f g h i j k l'],
  ['日本語の検索', '日本語の検索'],
])('counts %s under its words', (query, words) => {
  expect(countedWords(query)).toBe(words);
});

it.each([
  ['no words', ' ?!… '],
  ['an address', 'ann@example.org sso'],
  ['an address in words', 'ann (at) example dot org'],
  ['a telephone number', 'call 0151 234567'],
  ['a secret', `cks${'a1'.repeat(25)}`],
])('leaves out %s', (_what, query) => {
  expect(countedWords(query)).toBeUndefined();
});
