import { expect, it } from 'vitest';
import { hintOf } from './search-hint.js';

const fitting = { total: 3, noWords: false, allWeak: false };
const elsewhere = { otherSites: [{ total: 0 }, { total: 1 }] };

it('says nothing if something fits', () => {
  expect(hintOf('okapi', { ...fitting, ...elsewhere, didYouMean: 'okapis' }, { tag: 'sso' })).toBeNull();
});

it('says what to do if nothing is found', () => {
  const none = { ...fitting, total: 0 };
  const words = 'Nothing was found. Try fewer or other words, or another language.';
  expect(hintOf('okapi', { ...none, didYouMean: '', otherSites: [{ total: 0 }] }, { tag: '' })).toBe(words);
  expect(hintOf('okapi', { ...none, ...elsewhere }, { tag: 'sso', kind: '', author: 'a' })).toBe(
    'Nothing was found. The other site has texts that fit: search there. Search without the filter tag, author. Try fewer or other words, or another language.',
  );
});

it('says what weak hits mean, with a better spelling and the other site before other words', () => {
  const weak = { ...fitting, allWeak: true };
  expect(hintOf('okapi', weak, {})).toMatch(/^All hits here are weak: .*else try other words or another language\.$/);
  expect(hintOf('okapi', weak, { tag: 'sso' })).toMatch(/another language\. Search without the filter tag\.$/);
  expect(hintOf('okapi', { ...weak, ...elsewhere, didYouMean: 'okapis' }, {})).toMatch(
    /another language\. Search with the better spelling first\. The other site has texts that fit: search there\.$/,
  );
});

it('tells words that are too common from signs, unless something fits', () => {
  const common = { ...fitting, noWords: true };
  expect(hintOf('the people', { ...common, allWeak: true }, {})).toMatch(/^All words are too common/);
  expect(hintOf('the people', { ...common, total: 0 }, {})).toMatch(/^All words are too common/);
  expect(hintOf('the people', common, {})).toBeNull();
  expect(hintOf('?!', { ...common, total: 0 }, {})).toMatch(/^There is no word/);
});
