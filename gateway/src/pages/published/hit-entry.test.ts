import { markupOf } from '@knowledge/runtime/html';
import { expect, it } from 'vitest';
import { markWordsOf } from './hit-entry.js';

const marked = (text: string, ...forms: string[]): string =>
  markupOf(markWordsOf({ matched: [{ word: forms[0] ?? '', found: forms.slice(1), fields: ['body'] }] })(text));

it('marks words and the forms that were found, in any case and accent', () => {
  expect(marked('Restores, and a RESTORE drill', 'restore', 'restores')).toBe(
    '<mark>Restores</mark>, and a <mark>RESTORE</mark> drill',
  );
  expect(marked('L’infogérance en été', 'infogerance')).toBe('L’<mark>infogérance</mark> en été');
  expect(marked('Die Straße', 'strasse')).toBe('Die <mark>Straße</mark>');
});

it('marks the words of a phrase, but not its short ones', () => {
  expect(marked('a proof of a concept, of course', 'PoC', 'proof of concept')).toBe(
    'a <mark>proof</mark> of a <mark>concept</mark>, of course',
  );
});

it('escapes the text inside and outside of marks', () => {
  expect(marked('<b>restore</b> & "more"', 'restore', '<b>')).toBe(
    '&lt;<mark>b</mark>&gt;<mark>restore</mark>&lt;/<mark>b</mark>&gt; &amp; &quot;more&quot;',
  );
});

it('leaves a text alone in which nothing was found', () => {
  expect(marked('Nothing', 'restore')).toBe('Nothing');
  expect(markupOf(markWordsOf({ matched: [] })('<i>'))).toBe('&lt;i&gt;');
});
