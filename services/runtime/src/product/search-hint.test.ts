import { expect, it } from 'vitest';
import { searchHint } from './search-hint.js';

const fitting = {
  ...{ query: 'okapi', total: 3, noWords: false, allWeak: false, hasSpelling: false },
  ...{ filters: [], isElsewhere: false },
};

it('says nothing if something fits', () => {
  expect(searchHint({ ...fitting, hasSpelling: true, filters: ['tag'], isElsewhere: true })).toBeNull();
});

it('says what to do if nothing is found', () => {
  const none = { ...fitting, total: 0 };
  expect(searchHint(none)).toBe('Nothing was found. Try fewer or other words, or another language.');
  expect(searchHint({ ...none, isElsewhere: true, filters: ['tag', 'author'] })).toBe(
    'Nothing was found. The other site has texts that fit: search there. Search without the filter tag, author. Try fewer or other words, or another language.',
  );
});

it('says what weak hits mean, with a better spelling and the other site before other words', () => {
  const weak = { ...fitting, allWeak: true };
  expect(searchHint(weak)).toMatch(/^All hits here are weak: .*else try other words or another language\.$/);
  expect(searchHint({ ...weak, filters: ['tag'] })).toMatch(/another language\. Search without the filter tag\.$/);
  expect(searchHint({ ...weak, hasSpelling: true, isElsewhere: true })).toMatch(
    /another language\. Search with the better spelling first\. The other site has texts that fit: search there\.$/,
  );
});

it('tells words that are too common from signs, unless something fits', () => {
  const common = { ...fitting, query: 'the people', noWords: true };
  expect(searchHint({ ...common, allWeak: true })).toMatch(/^All words are too common/);
  expect(searchHint({ ...common, total: 0 })).toMatch(/^All words are too common/);
  expect(searchHint(common)).toBeNull();
  expect(searchHint({ ...fitting, query: '?!', total: 0, noWords: true })).toMatch(/^There is no word/);
});
