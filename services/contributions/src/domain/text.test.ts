import { codePoints, isUuid } from '@knowledge/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireFreshId, shorten, textHashOf } from '../base/text.js';

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
