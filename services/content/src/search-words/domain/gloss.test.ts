import { expect, it } from 'vitest';
import { checkGloss, decideGloss, type GlossRecord, glossKey, isEnglish } from './gloss.js';

const act = { actor: 'ann', at: new Date(0), reason: '' };
const text = { state: 'published', language: 'de', revision: 3 };
const gloss = { title: 'A title', summary: 'A summary' };
const stored: GlossRecord = { ...gloss, writtenForRevision: 3, updatedAt: act.at, updatedBy: 'ann' };

it('names a gloss after its text', () => {
  expect(glossKey({ kind: 'article', site: 'org', slug: 'a-b' })).toBe('article/org/a-b');
  expect(glossKey({ kind: 'object', id: 'some-id' })).toBe('object/some-id');
});

it('bounds title and summary', () => {
  expect(checkGloss({ title: ' A title ', summary: '' })).toEqual({ title: 'A title', summary: '' });
  const long = { title: 'x'.repeat(201), summary: 'y'.repeat(501) };
  expect(() => checkGloss(long)).toThrow(/gloss\.title must have 1 to 200.*gloss\.summary must have at most 500/);
  expect(() => checkGloss({ ...gloss, title: ' ' })).toThrow('gloss.title');
});

it('sets, changes and removes a gloss without a new state or revision of the text', () => {
  const same = { from: 'published', to: 'published', revision: 3 };
  expect(decideGloss(text, undefined, gloss, act)).toEqual({
    outcome: 'created',
    gloss: stored,
    transition: { ...act, ...same, reason: 'The English gloss was set.' },
  });
  const why = { ...act, reason: 'clearer' };
  expect(decideGloss({ ...text, revision: 4 }, stored, { ...gloss, title: 'Other' }, why)).toMatchObject({
    outcome: 'updated',
    gloss: { title: 'Other', writtenForRevision: 4 },
    transition: { reason: 'clearer', revision: 4 },
  });
  expect(decideGloss(text, stored, undefined, act)).toMatchObject({
    outcome: 'updated',
    gloss: undefined,
    transition: { ...same, reason: 'The English gloss was removed.' },
  });
});

it('writes nothing for an equal gloss or one that is not there', () => {
  expect(decideGloss({ ...text, revision: 9 }, stored, { ...gloss }, act)).toEqual({ outcome: 'unchanged' });
  expect(decideGloss(text, undefined, undefined, act)).toEqual({ outcome: 'unchanged' });
});

it('refuses a gloss of an English text, but removes one', () => {
  const english = { ...text, language: 'en-GB' };
  expect(() => decideGloss(english, undefined, gloss, act)).toThrow('The text is in English');
  expect(decideGloss(english, stored, undefined, act)).toMatchObject({ outcome: 'updated', gloss: undefined });
  expect(() => decideGloss(undefined, stored, gloss, act)).toThrow('no such text');
  expect(['en', 'EN', 'en-US', 'de', '', 'enm'].map(isEnglish)).toEqual([true, true, true, false, false, false]);
});
