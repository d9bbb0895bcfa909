import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { FileProblem } from '../files/fields.js';
import { readGloss, readSynonym, synonymId, synonymsYaml } from './words.js';

describe('an entry of a file of synonyms', () => {
  it('has an id, or is named by its first word', () => {
    const { name, request, unknown } = readSynonym({ words: ['SSO', ' single sign-on '], note: 'x' });
    expect({ name, unknown }).toEqual({ name: 'sso', unknown: ['note'] });
    expect(request).toMatchObject({ id: 'sso', words: ['SSO', 'single sign-on'], from: [] });
    expect(readSynonym({ from: ['AD'], words: ['Active Directory'] }).name).toBe('ad');
    expect(readSynonym({ id: 'login', words: 'log in, sign in' }).request.words).toEqual(['log in', 'sign in']);
  });

  it.each([
    [{}, 'words: is missing'],
    [{ words: [['a']] }, 'words: must be a list of words'],
    [{ words: ['日本'] }, 'the first word cannot name the group'],
    [{ words: ['a'], from: { b: 'c' } }, 'from: must be a list of words'],
  ])('is refused: %j', (fields, fault) => {
    expect(() => readSynonym(fields)).toThrow(FileProblem);
    expect(() => readSynonym(fields)).toThrow(fault);
  });

  it('is written as it is read', () => {
    const by = { updatedBy: 'ann', updatedAt: undefined };
    const groups = [
      { id: 'yes-no', words: ['yes: no', '2FA', "l'accès"], from: [], ...by },
      { id: 'ad', words: ['Active Directory'], from: ['AD'], ...by },
    ];
    const read = load(synonymsYaml(groups)) as Record<string, unknown>[];
    expect(read.map((entry) => readSynonym(entry).request)).toEqual(
      groups.map((group) => ({ ...group, updatedBy: '' })),
    );
  });
});

it('names a gloss by its text', () => expect(readGloss({ slug: 'a', title: 'b' }, 'io', '').name).toBe('io/a'));

it.each([
  ['Single Sign-On', 'single-sign-on'],
  ["clé d'API", 'cle-d-api'],
  ['Großrechner', 'grossrechner'],
  ['ścieżka łączna', 'sciezka-laczna'],
  ['x'.repeat(90), 'x'.repeat(80)],
  ['—', ''],
])('makes an id of %s', (word, id) => {
  expect(synonymId(word)).toBe(id);
});
