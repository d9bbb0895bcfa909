import { expect, it } from 'vitest';
import { inLanguage, languageTag } from './elements.js';

it('takes what is well-formed as an attribute, and nothing else', () => {
  expect(['de', 'pt-BR', 'zh-Hant-TW'].map(languageTag)).toEqual(['de', 'pt-BR', 'zh-Hant-TW']);
  expect(['', 'x', 'de"onload=', 'german language', undefined].map(languageTag)).toEqual(Array(5).fill(undefined));
});

it('names every language but English in English', () => {
  expect(['de', 'pt-BR', 'en', 'en-GB', 'nonsense tag', 'zz-a-a'].map(inLanguage)).toEqual([
    'in German',
    'in Brazilian Portuguese',
    ...Array(4).fill(undefined),
  ]);
});
