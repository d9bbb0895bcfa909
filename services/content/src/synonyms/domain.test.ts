import { expect, it } from 'vitest';
import {
  checkSynonym,
  decideSynonymPut,
  decideSynonymRemoval,
  requireRoom,
  type SynonymPut,
  synonymBounds,
} from './domain.js';

const act = { actor: 'ann', at: new Date(0), reason: 'why' };
const put: SynonymPut = { id: 'sso', words: ['SSO', 'single sign-on'], from: [] };

it('trims words and joins their accents', () => {
  const words = [' SSO ', 'cafe\u0301'];
  expect(checkSynonym({ id: 'sso', words, from: [] })).toEqual({ id: 'sso', words: ['SSO', 'caf\u00e9'], from: [] });
});

it.each<[string, Partial<SynonymPut>]>([
  ['id must have', { id: 'Not a name' }],
  ['id must have', { id: '' }],
  ['words must be 2 to 30', { words: ['alone'] }],
  ['words must be 1 to 30', { words: [], from: ['AD'] }],
  ['words must be 2 to 30', { words: Array.from({ length: 31 }, (_, at) => `w${at}`) }],
  ['from must be at most 10', { from: Array.from({ length: 11 }, (_, at) => `f${at}`) }],
  ['words[1] is required', { words: ['a', ' '] }],
  ['words[1] must have at most 80', { words: ['a', 'b'.repeat(81)] }],
  ['words[1] must be one line; it has a line break at character 2', { words: ['a', 'b\nc'] }],
  ['words[1] names a word of the group again', { words: ['SSO', 'sso'] }],
  ['words must not all be stop words', { words: ['the', 'und mit'] }],
  ['from[0] names a word of the group again', { from: ['SSO'] }],
])('refuses a group: %s', (fault, part) => {
  expect(() => checkSynonym({ ...put, ...part })).toThrow(fault);
});

it('takes an acronym that is written like a stop word', () => {
  expect(checkSynonym({ ...put, words: ['IT', 'the'] }).words).toEqual(['IT', 'the']);
});

it('takes the longest words and the longest lists', () => {
  const words = Array.from({ length: synonymBounds.words }, (_, at) => `${at}`.padEnd(80, 'x'));
  const from = Array.from({ length: synonymBounds.from }, (_, at) => `f${at}`);
  expect(checkSynonym({ id: 'a'.repeat(80), words, from })).toMatchObject({ words, from });
  expect(checkSynonym({ id: 'ad', words: ['Active Directory'], from: ['AD'] }).words).toHaveLength(1);
});

it('creates, replaces and keeps a group', () => {
  const created = decideSynonymPut(undefined, put, act);
  expect(created).toMatchObject({ outcome: 'created', transition: { from: '', to: 'set', revision: 1 } });
  const { synonym } = created;
  const later = { ...act, actor: 'bob', at: new Date(1) };
  expect(decideSynonymPut(synonym, { ...put }, later)).toEqual({ outcome: 'unchanged', synonym });
  for (const part of [{ words: ['SSO', 'one login'] }, { words: ['SSO'] }, { from: ['X'] }]) {
    expect(decideSynonymPut(synonym, { ...put, ...part }, later)).toMatchObject({
      outcome: 'updated',
      synonym: { ...part, revision: 2, createdAt: act.at, updatedAt: later.at, updatedBy: 'bob' },
      transition: { from: 'set', to: 'set', revision: 2 },
    });
  }
  expect(decideSynonymRemoval(synonym, act)).toMatchObject({ from: 'set', to: 'deleted', revision: 2 });
  expect(() => decideSynonymRemoval(undefined, act)).toThrow('no such group');
});

it('has room for 1,000 groups', () => {
  requireRoom(999);
  expect(() => requireRoom(1_000)).toThrow('There are 1,000 groups');
});
