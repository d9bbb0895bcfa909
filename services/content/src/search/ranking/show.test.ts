import { expect, it } from 'vitest';
import { createCompounds } from '../analysis/compounds.js';
import { analyseBlocks } from '../index/analysed-blocks.js';
import type { SearchText } from '../index/search-text.js';
import { createTextIndex } from '../index/text-index.js';
import { readQuery } from './query.js';
import { type Shown, show } from './show.js';
import { createSynonymRules } from './synonyms.js';
import { createTextParts } from './text-parts.js';

const groups = [
  { words: ['one-time password', 'security key', 'token'], from: ['MFA'] },
  { words: ['roll out', 'rollout'], from: [] },
];

/** Shows the text as a hit of a query; beside it the index has at most one more. */
function shown(query: string, part: Partial<SearchText>, other?: Partial<SearchText>): Shown {
  const text: SearchText = {
    ...{ key: 'article/org/okapi', kind: 'article', site: 'org', language: 'en', title: '', summary: '', tags: [] },
    ...{ author: '', body: '', publishedAt: new Date(0), updatedAt: new Date(0), revision: 1, gloss: undefined },
    ...part,
  };
  const index = createTextIndex();
  index.put(text);
  if (other !== undefined) index.put({ ...text, ...other });
  const words = readQuery(query, index, createSynonymRules(groups, index.languages));
  const compounds = createCompounds();
  const parts = createTextParts(100_000).read(text, analyseBlocks(text, compounds), compounds);
  return show({ text: parts, language: text.language, query, words, index });
}

it('shows the forms of each word, each once, with the fields that have them', () => {
  const { matched } = shown('okapi zebras lion', { title: 'Okapis', tags: ['zebra'], body: 'An okapi. Okapi, zebra.' });
  expect(matched).toEqual([
    { word: 'okapi', found: ['Okapis', 'okapi'], fields: ['title', 'body'] },
    { word: 'zebras', found: ['zebra'], fields: ['tags', 'body'] },
  ]);
});

it('shows at most five forms of a word', () => {
  const body = 'connect connects connected connecting connection connections';
  expect(shown('connect', { body }).matched[0]?.found).toEqual(body.split(' ').slice(0, 5));
});

it('shows a synonym of several words as a whole, and never its words apart', () => {
  const apart =
    'At that time nobody knew which password opened the door. One of the keys was lost, so we called security.';
  expect(shown('MFA', { body: apart })).toEqual({ matched: [], passage: { text: apart, heading: '' } });
  const body = `${apart}\n\n## Later\n\nA one-time password, or security keys, or a token. One-time passwords again.`;
  expect(shown('MFA', { body })).toEqual({
    matched: [
      { word: 'MFA', found: ['token', 'one-time password', 'One-time passwords', 'security keys'], fields: ['body'] },
    ],
    passage: {
      text: 'A one-time password, or security keys, or a token. One-time passwords again.',
      heading: 'Later',
    },
  });
});

it('shows no rest of a synonym from which another language takes a stop word', () => {
  const body = 'At that time the password opened the door.';
  const polish = { key: 'article/org/polski', language: 'pl', body: 'To time password.' } as const;
  expect(shown('MFA', { body }, polish).matched).toEqual([]);
  const inPolish = shown('MFA', { language: 'pl', body: 'To time password.' });
  expect(inPolish.matched.map(({ found }) => found)).toEqual([['time password']]);
});

it('shows the words themselves in place of the phrase that they are', () => {
  const { matched } = shown('roll out', { body: 'We roll it out. The rollout went well.' });
  expect(matched).toEqual([{ word: 'roll', found: ['roll', 'rollout'], fields: ['body'] }]);
});
