import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthOf, shorten } from './text.js';

describe('shorten', () => {
  it('leaves a short text alone and cuts a long one at a word', () => {
    expect(shorten('short', 10)).toBe('short');
    expect(shorten('What did you learn from the migration of last year?', 30)).toBe('What did you learn from the…');
    expect(shorten('x'.repeat(50), 20)).toBe(`${'x'.repeat(19)}…`);
  });

  it('never exceeds the bound and never splits a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 200 }), (text, max) => {
        const short = shorten(text, max);
        expect(lengthOf(short)).toBeLessThanOrEqual(max);
        expect(/\p{Surrogate}/u.test(short)).toBe(/\p{Surrogate}/u.test(text) && /\p{Surrogate}/u.test(short));
      }),
    );
  });
});
