import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foundAmong } from './found.js';

const numbers = fc.uniqueArray(fc.nat(300), { maxLength: 200 }).map((each) => Uint32Array.from(each).sort());

it('leaves the chosen texts with their scores, in the order of their numbers', () => {
  fc.assert(
    fc.property(numbers, numbers, (texts, chosen) => {
      const found = { texts, scores: Float32Array.from(texts, (text) => text / 2), terms: ['okapi'] };
      const expected = texts.filter((text) => chosen.includes(text));
      expect(foundAmong(found, chosen)).toEqual({
        ...{ texts: expected, terms: ['okapi'] },
        scores: Float32Array.from(expected, (text) => text / 2),
      });
    }),
  );
});
