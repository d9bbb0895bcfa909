import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWords, excerpt, plainText } from './markdown-text.js';

describe('plainText', () => {
  it.each([
    ['# Title\n\nSome **bold** and _soft_ `code`.', 'Title\nSome bold and soft code.'],
    ['See [the page](https://example.org/x "t") and ![a picture](p.png).', 'See the page and a picture.'],
    ['- one\n- two\n\n> quoted', 'one\ntwo\nquoted'],
    ['```sh\nnpm start\n```', 'npm start'],
    ['| a | b |\n|---|---|\n| c | d |', 'a\nb\nc\nd'],
    ['<div class="x">inside</div>\n\nand <b>inline</b> &amp; more', 'inside\nand inline & more'],
    ['[ref]: https://example.org\n\nonly [ref]', 'only ref'],
    ['see [this](javascript:alert(1)) now', 'see this now'],
    ['one   two\t three', 'one two three'],
    ['one\ntwo  \nthree', 'one\ntwo\nthree'],
    ['```\none\n\n\n  two\n```\nthree', 'one\ntwo\nthree'],
    ['<p>one<br>two</p>', 'one two'],
  ])('reads %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });

  it.each(['[', '*', '`', '<', '> ', '![', '- ', '\\', '_a', '&#', '|a', 'a\n'])(
    'does not need much more than twice the time for twice as many %j',
    async (mark) => {
      const [small, large] = [100_000, 200_000].map((length) => mark.repeat(length / mark.length)) as [string, string];
      // Quadratic time would be four times as long. Other work on the machine slows some runs, so the test tries again.
      await expect.poll(() => cpuOf(large) < 3 * cpuOf(small), { timeout: 10_000 }).toBe(true);
    },
  );
});

describe('countWords', () => {
  it.each([
    ['', 0],
    ['one', 1],
    ["don't roll-out v2.1 twice", 4],
    ['— … !', 0],
    ['Zażółć gęślą jaźń', 3],
    ['ein 2. Versuch', 3],
  ])('counts %j', (text, words) => {
    expect(countWords(text)).toBe(words);
  });
});

describe('excerpt', () => {
  it('keeps a short text unchanged, on one line', () => {
    expect(excerpt('one\n two')).toBe('one two');
  });

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

/** Measures the CPU time of parsing the text, in microseconds. */
function cpuOf(markdown: string): number {
  const before = process.cpuUsage();
  plainText(markdown);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
