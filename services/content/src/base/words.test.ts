import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, excerpt } from './words.js';

it.each([
  ['', 0],
  ['one', 1],
  ["don't roll-out v2.1 twice", 4],
  ['— … !', 0],
  ['Zażółć gęślą jaźń', 3],
  ['ein 2. Versuch', 3],
  ['これは重要なお知らせです。', 6],
  ['我们在三个月内完成了迁移', 7],
  ['ระบบของเราทำงานได้ดี', 6],
  ['Kubernetes の移行', 3],
])('countWords counts %j', (text, words) => {
  expect(countWords(text)).toBe(words);
});

describe('excerpt', () => {
  it('keeps a short text unchanged, on one line', () => expect(excerpt('one\n two')).toBe('one two'));

  it('ends after a whole word with an ellipsis', () => {
    expect(excerpt('one two, three four', 12)).toBe('one two…');
    expect(excerpt('one two), three four', 13)).toBe('one two…');
  });

  it('is the whole text if it fits, else its beginning, on one line and within the limit', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '🙂', ',', ' ', '\n'), { maxLength: 40, size: 'max' });
    fc.assert(
      fc.property(letters, fc.integer({ min: 2, max: 30 }), (text, max) => {
        const words = text.join('').split(/\s+/).filter(Boolean).join(' ');
        const cut = excerpt(text.join(''), max);
        expect([...cut].length).toBeLessThanOrEqual(max);
        if ([...words].length <= max) expect(cut).toBe(words);
        else expect(cut.endsWith('…') && words.startsWith(cut.slice(0, -1))).toBe(true);
      }),
    );
  });

  it('never splits a character', () => {
    const cut = excerpt('🙂'.repeat(300));
    expect([...cut]).toHaveLength(240);
    expect(cut.endsWith('🙂…')).toBe(true);
  });
});
