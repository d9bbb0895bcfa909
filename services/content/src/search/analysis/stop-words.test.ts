import { expect, it } from 'vitest';
import { analyse } from './analyse.js';
import { ownEnglishStem, primaryLanguage, stem } from './stem.js';
import { isCommonWord, isQuestionWord, isStopWord } from './stop-words.js';
import { fold, isAcronymIn } from './words.js';

it.each([
  ['the', 'en', [true, false, false]],
  ['the', '', [true, false, false]],
  ['the', 'xx', [false, false, false]],
  ['fur', 'de', [true, false, false]],
  ['für', 'de', [true, false, false]],
  ['och', 'sv', [true, false, false]],
  ['warum', 'de', [true, true, false]],
  ['gdzie', 'pl', [true, true, false]],
  ['wofur', 'de', [false, true, false]],
  ['not', 'en', [false, true, false]],
  ['people', 'en', [false, false, true]],
  ['siempre', 'es', [false, false, true]],
  ['find', 'en', [false, false, true]],
  ['time', 'en', [false, false, true]],
  ['verwendet', 'de', [false, false, true]],
  ['busco', 'es', [false, false, true]],
  ['chercher', 'fr', [false, false, true]],
  ['szukam', 'pl', [false, false, true]],
  ['okapi', 'en', [false, false, false]],
])('knows whether %j in %j is a stop word, a question word and a common word', (word, language, known) => {
  expect([isStopWord(word, language), isQuestionWord(word, language), isCommonWord(word, language)]).toEqual(known);
});

it.each([
  ['IT', true],
  ['A11Y', true],
  ['ÄÖ', true],
  ['A', false],
  ['It', false],
  ['NOT', false],
  ['NOTE', true],
  ['1A', false],
  ['MFAs', false],
])('knows whether %j is in capitals', (word, is) => {
  expect(isAcronymIn(`the ${word}`, { start: 4, end: 4 + word.length })).toBe(is);
});

it('keeps an acronym that is written like a stop word, with a term of its own', () => {
  const terms = (text: string) => analyse(text, 'en').map(({ term }) => term);
  expect(terms('our IT and it')).toEqual(['IT']);
  expect(terms('It is I')).toEqual([]);
  expect(terms('its iTs')).toEqual([]);
});

it('keeps the form of a word that ends in a capital, such as SaaS', () => {
  const terms = (text: string, language: string) => analyse(text, language).map(({ term }) => term);
  // The French stem of SaaS is the stop word sa.
  expect(terms('SaaS et PaaS', 'fr')).toEqual(['saas', 'paas']);
  expect(terms('SaaS', 'en')).toEqual(['saas']);
  expect(terms('APIs WALLS', 'en')).toEqual(['api', 'wall']);
});

it.each([
  ['łódź', 'lodz'],
  ['straße', 'strasse'],
  ['œuvre', 'oeuvre'],
  ['ærø', 'aero'],
  ['þıð', 'thid'],
  ['đak', 'dak'],
  ['данных', 'данных'],
  ['ήχος', 'ηχος'],
  ['दिल्ली', 'दिल्ली'],
  ['abc123', 'abc123'],
  ['\u0301', '\u0301'],
])('folds %j to %j', (word, folded) => {
  expect(fold(word)).toBe(folded);
});

it('keeps English words apart that the stemmer mixes up', () => {
  expect(stem('officers', 'en')).not.toBe(stem('offices', 'en'));
  expect(stem('accessibility', 'en')).toBe(stem('accessible', 'en'));
  expect(stem('accessibility', 'en')).not.toBe(stem('access', 'en'));
  expect(stem('inventory', 'en')).not.toBe(stem('invented', 'en'));
  expect(stem('customers', 'en')).toBe(stem('customer', 'en'));
  expect(stem('authorities', 'en')).toBe('authorit');
  expect(stem('officers', 'de')).not.toBe('officer');
  expect(ownEnglishStem('office')).toBeUndefined();
  expect(ownEnglishStem('intern')).toBeUndefined();
});

it('knows the primary part of a language, with one Norwegian', () => {
  expect(['de-AT', 'EN', '', 'nb', 'nn-NO', 'pl'].map(primaryLanguage)).toEqual(['de', 'en', '', 'no', 'no', 'pl']);
  expect(stem('Häuser', 'xx')).toBe(fold('Häuser'));
});
