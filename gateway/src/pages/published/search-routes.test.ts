import { expect, it } from 'vitest';
import { choiceOf, textOf } from './search-routes.js';

it('takes a text as it is given, without the white space around it', () => {
  expect([textOf({}, 'q'), textOf({ q: ' single sign-on ' }, 'q')]).toEqual(['', 'single sign-on']);
});

it.each([[['a', 'b']], ['x'.repeat(501)], [{ $ne: '' }]])('refuses %j as a search', (q) => {
  expect(() => textOf({ q }, 'q')).toThrow(/^q: must be given once, with at most 500 characters\.$/);
});

it('takes one of the choices, or none', () => {
  const kinds = ['story', 'knowledge'] as const;
  expect([{}, { kind: '' }, { kind: 'story' }].map((query) => choiceOf(query, 'kind', kinds))).toEqual([
    undefined,
    undefined,
    'story',
  ]);
  expect(() => choiceOf({ kind: 'toString' }, 'kind', kinds)).toThrow('kind: must be one of story, knowledge.');
});
