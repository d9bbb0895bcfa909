import { expect, it } from 'vitest';
import { createSynonymRules } from './synonyms.js';

const languages = ['en', 'de'];

it('finds the longest and every shorter part of a query that has synonyms', () => {
  const groups = [
    { words: ['security key', 'token'], from: [] },
    { words: ['key', 'clef'], from: [] },
  ];
  expect(createSynonymRules(groups, languages).match(['a', 'security', 'keys'])).toEqual([
    { at: 1, length: 2, phrases: [['secur', 'key'], ['security', 'key'], ['token'], ['tok']], remains: [] },
    { at: 2, length: 1, phrases: [['key'], ['clef']], remains: [] },
  ]);
});

it('leads one way from an acronym and from its long forms', () => {
  const groups = [
    { words: ['MFA', 'second factor'], from: [] },
    { words: ['token'], from: ['MFA'] },
  ];
  const { match } = createSynonymRules(groups, ['en']);
  expect(match(['mfa']).flatMap(({ phrases }) => phrases)).toEqual([['mfa'], ['second', 'factor'], ['token']]);
  expect(match(['second', 'factor']).flatMap(({ phrases }) => phrases)).toContainEqual(['token']);
  expect(match(['token']).flatMap(({ phrases }) => phrases)).toEqual([['token']]);
});

it('keeps apart the only word that stop words leave of a phrase, and leaves out phrases of stop words', () => {
  const groups = [{ words: ['back up', 'who is it', 'copy'], from: [] }];
  expect(createSynonymRules(groups, ['en']).match(['copy'])).toEqual([
    { at: 0, length: 1, phrases: [['copi']], remains: ['back'] },
  ]);
});

it('knows every word of the groups', () => {
  const groups = [{ words: ['Security key', 'token'], from: ['MFA'] }];
  expect(createSynonymRules(groups, languages).words).toEqual(['security', 'key', 'token']);
});
