import { expect, it } from 'vitest';
import { emptySynonym, groupOf, synonymFaults } from './synonym-form.js';

it('has one word or phrase in each line', () => {
  const typed = { ...emptySynonym, id: ' sso ', words: 'SSO\n\n single sign-on \n', from: '' };
  expect(groupOf(typed)).toEqual({ id: 'sso', words: ['SSO', 'single sign-on'], from: [] });
});

it('says in which line a fault is', () => {
  const message = 'words[1] names a word of the group again; from must be at most 10 words or phrases.';
  expect(synonymFaults({ code: 'validation_error', message })).toEqual({
    of: { words: 'in line 2 names a word of the group again', from: 'must be at most 10 words or phrases' },
    others: [],
  });
});
