import { expect, it } from 'vitest';
import { readFaults } from '../pages/form-values.js';
import { byLine, groupOf, synonymFields } from './web-synonyms.js';

it('has one word or phrase in each line', () => {
  const typed = { id: ' sso ', words: 'SSO\n\n single sign-on \n', from: '' };
  expect(groupOf(typed)).toEqual({ id: 'sso', words: ['SSO', 'single sign-on'], from: [] });
});

it('says in which line a fault is', () => {
  const message = 'words[1] names a word of the group again; from must be at most 10 words or phrases.';
  expect(readFaults({ code: 'validation_error', message: byLine(message) }, synonymFields)).toEqual({
    of: { words: 'in line 2 names a word of the group again', from: 'must be at most 10 words or phrases' },
    others: [],
  });
});
