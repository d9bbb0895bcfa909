import { expect, it } from 'vitest';
import type { GlossRecord } from '../base/search-words.js';
import { checkGloss, decideGloss, type GlossedText } from './domain.js';

const byAnn = { actor: 'ann', at: new Date(0), reason: '' };
const text: GlossedText = { state: 'published', language: 'de', revision: 3 };
const gloss = { title: 'A title', summary: 'A summary' };
const stored: GlossRecord = { ...gloss, writtenForRevision: 3, updatedAt: byAnn.at, updatedBy: 'ann' };
const glossed: GlossedText = { ...text, gloss: stored };

it('bounds title and summary', () => {
  expect(checkGloss({ title: ' A title ', summary: '' })).toEqual({ title: 'A title', summary: '' });
  const long = { title: 'x'.repeat(201), summary: 'y'.repeat(501) };
  expect(() => checkGloss(long)).toThrow(/gloss\.title must have at most 200.*gloss\.summary must have at most 500/);
  expect(() => checkGloss({ ...gloss, title: ' ' })).toThrow('gloss.title');
});

it('sets, changes and removes a gloss without a new state or revision of the text', () => {
  const same = { from: 'published', to: 'published', revision: 3 };
  expect(decideGloss(text, gloss, byAnn)).toEqual({
    outcome: 'created',
    gloss: stored,
    transition: { ...byAnn, ...same, reason: 'The English gloss was set.' },
  });
  const why = { ...byAnn, reason: 'clearer' };
  expect(decideGloss({ ...glossed, revision: 4 }, { ...gloss, title: 'Other' }, why)).toMatchObject({
    outcome: 'updated',
    gloss: { title: 'Other', writtenForRevision: 4 },
    transition: { reason: 'clearer', revision: 4 },
  });
  expect(decideGloss(glossed, undefined, byAnn)).toMatchObject({
    outcome: 'updated',
    gloss: undefined,
    transition: { ...same, reason: 'The English gloss was removed.' },
  });
});

it('writes nothing for an equal gloss or one that is not there', () => {
  expect(decideGloss({ ...glossed, revision: 9 }, { ...gloss }, byAnn)).toEqual({ outcome: 'unchanged' });
  expect(decideGloss(text, undefined, byAnn)).toEqual({ outcome: 'unchanged' });
});

it('refuses a gloss of an English text, but removes one', () => {
  const english = { ...text, language: 'en-GB' };
  expect(() => decideGloss(english, gloss, byAnn)).toThrow('The text is in English');
  const removed = decideGloss({ ...english, gloss: stored }, undefined, byAnn);
  expect(removed).toMatchObject({ outcome: 'updated', gloss: undefined });
  for (const language of ['en', 'EN', 'en-US'])
    expect(() => decideGloss({ ...text, language }, gloss, byAnn)).toThrow('The text is in English');
  for (const language of ['de', '', 'enm'])
    expect(decideGloss({ ...text, language }, gloss, byAnn)).toMatchObject({ outcome: 'created' });
});
