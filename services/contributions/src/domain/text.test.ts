import { codePoints, isUuid } from '@knowledge/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineFault, refuseFaults, requireFreshId, shorten, shownLineFault, textFault, textHashOf } from './text.js';

describe('shorten', () => {
  it('keeps a short text and cuts a long one after a whole word', () => {
    expect(shorten('short', 10)).toBe('short');
    expect(shorten('What did you learn from the migration of last year?', 30)).toBe('What did you learn from the…');
    expect(shorten('x'.repeat(50), 20)).toBe(`${'x'.repeat(19)}…`);
  });

  it('never exceeds the limit and never splits a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 200 }), (text, max) => {
        const short = shorten(text, max);
        expect(codePoints(short)).toBeLessThanOrEqual(max);
        expect(/\p{Surrogate}/u.test(short)).toBe(/\p{Surrogate}/u.test(text) && /\p{Surrogate}/u.test(short));
      }),
    );
  });
});

describe('faults of a text', () => {
  const bounds = { min: 2, max: 4 };

  it('do not exist within the bounds, measured in code points', () => {
    for (const text of ['ab', '😀😀😀😀', ' ab ']) expect(textFault('name', text, bounds)).toBeUndefined();
  });

  it.each([
    ['a', 'name must be at least 2 characters; it has 1'],
    [' a', 'name must be at least 2 characters; it has 1, as white space at the ends does not count'],
    ['abcde', 'name must be at most 4 characters'],
    ['a\0b', 'name must be well-formed Unicode without NUL characters'],
    ['ab\ud800', 'name must be well-formed Unicode without NUL characters'],
  ])('describe the fault of %j', (text, fault) => {
    expect(textFault('name', text, bounds)).toBe(fault);
    expect(lineFault('name', text, bounds)).toBe(fault);
  });

  it('name a hidden character in a line', () => {
    const fault = 'name must not contain U+200B (zero-width space) at character 2';
    expect(lineFault('name', 'a\u200bb', bounds)).toBe(fault);
    expect(lineFault('name', 'ab', bounds)).toBeUndefined();
  });

  it.each([
    ['One\nTwo', 'title must be one line; it has a line break at character 4'],
    ['😀 One\\nTwo', 'title must be one line; it has \\n as two characters at character 6'],
    [`a${'\u0301'.repeat(150)}`, 'title must have at most 8 marks on one letter; it has more at character 2'],
    ['\u2800\u2800', 'title must have a letter, digit or symbol that can be seen'],
    ['&#8203;&#8203;', 'title must not contain U+200B (zero-width space) at character 1'],
    ['One', undefined],
  ])('name what readers of the title %j would not see', (title, fault) => {
    expect(shownLineFault('title', title, { min: 1, max: 20 })).toBe(fault);
  });

  it('are reported together', () => {
    const refused = { code: 'validation_error', message: 'one; two.' };
    expect(() => refuseFaults(['one', undefined, 'two'])).toThrow(expect.objectContaining(refused));
    expect(() => refuseFaults([undefined])).not.toThrow();
  });
});

it('makes an equal hash of texts that differ only in white space', () => {
  const hash = textHashOf('One text, twice.');
  expect(hash).toMatch(/^[\w-]{27}$/);
  expect(textHashOf('  One\n\ttext,  twice.\n')).toBe(hash);
  expect(textHashOf('One text,twice.')).not.toBe(hash);
  expect(textHashOf('One text, twice')).not.toBe(hash);
});

const id = '0b6e3f0c-4d5f-4d0e-9a53-00000000000f';

it('accepts as an id only a UUID in lower case', () => {
  expect(isUuid(id)).toBe(true);
  const others = [`${id}0`, `0${id}`, id.toUpperCase(), id.replaceAll('-', ''), id.replace('f', 'g'), id.slice(1), ''];
  expect(others.filter(isUuid)).toEqual([]);
  expect(() => requireFreshId(id)).not.toThrow();
  const refused = { code: 'validation_error', message: 'id must be a UUID in lower case.' };
  expect(() => requireFreshId('x')).toThrow(expect.objectContaining(refused));
});
