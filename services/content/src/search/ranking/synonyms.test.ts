import { expect, it } from 'vitest';
import { createSynonymRules } from './synonyms.js';

const languages = ['en', 'de'];
/** Phrases for texts in all languages. */
const ways = (...phrases: string[]) => phrases.map((phrase) => ({ terms: phrase.split(' '), languages: [] }));

const german = (phrase: string) => ({ terms: phrase.split(' '), languages: ['de'] });

it('finds the longest and every shorter part of a query that has synonyms', () => {
  const groups = [
    { words: ['security key', 'token'], from: [] },
    { words: ['key', 'clef'], from: [] },
  ];
  expect(createSynonymRules(groups, languages).match(['a', 'security', 'keys'])).toEqual([
    {
      ...{ at: 1, length: 2, remains: [] },
      phrases: [...ways('secur key'), german('security key'), ...ways('token'), german('tok')],
    },
    { at: 2, length: 1, phrases: ways('key', 'clef'), remains: [] },
  ]);
});

it('leads one way from an acronym and from its long forms', () => {
  const groups = [
    { words: ['MFA', 'second factor'], from: [] },
    { words: ['token'], from: ['MFA'] },
  ];
  const { match } = createSynonymRules(groups, ['en']);
  expect(match(['mfa']).flatMap(({ phrases }) => phrases)).toEqual(ways('mfa', 'second factor', 'token'));
  expect(match(['second', 'factor']).flatMap(({ phrases }) => phrases)).toEqual(expect.arrayContaining(ways('token')));
  expect(match(['token']).flatMap(({ phrases }) => phrases)).toEqual(ways('token'));
});

it('keeps apart the only word that stop words leave of a phrase, and leaves out phrases of stop words', () => {
  const groups = [{ words: ['back up', 'who is it', 'copy'], from: [] }];
  expect(createSynonymRules(groups, ['en']).match(['copy'])).toEqual([
    { at: 0, length: 1, phrases: ways('copi'), remains: ['back'] },
  ]);
});

it('has the stems of a language only for its texts, and those of English for all', () => {
  const phrases = (words: string[], languages: string[]) =>
    createSynonymRules([{ words, from: ['x'] }], languages).match(['x'])[0]?.phrases;
  // The Polish one means they.
  expect(phrases(['one-time password'], ['en', 'pl'])).toEqual([
    { terms: ['one', 'time', 'password'], languages: [] },
    { terms: ['time', 'password'], languages: ['pl'] },
  ]);
  expect(phrases(['mot de passe'], ['fr', 'es'])).toEqual([{ terms: ['mot', 'pass'], languages: ['fr', 'es'] }]);
  // In English texts tend is another word.
  expect(phrases(['tender'], ['en', 'fr'])).toEqual([...ways('tender'), { terms: ['tend'], languages: ['fr'] }]);
  expect(phrases(['IT service'], ['en'])).toEqual(ways('IT servic'));
  expect(phrases(['SaaS'], ['en', 'fr'])).toEqual(ways('saas'));
  // English glosses may stand at any text.
  expect(phrases(['proof of concept'], ['en'])).toEqual(ways('proof concept'));
});

it('knows every word of the groups', () => {
  const groups = [{ words: ['Security key', 'token'], from: ['MFA'] }];
  expect(createSynonymRules(groups, languages).words).toEqual(['security', 'key', 'token']);
});
