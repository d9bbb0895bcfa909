import { expect, it } from 'vitest';
import { KnownWords } from './known-words.js';

const found = { texts: Uint32Array.of(1, 2), scores: Float64Array.of(1, 2), terms: ['okapi'] };

it('keeps what was read until a change, and the words of other texts beyond it', () => {
  const known = new KnownWords(100_000);
  known.keepTexts('okapi', found, known.generation);
  for (const text of [1, 2]) known.keepSequence(text, 'okapi zebra', known.generation);
  expect([known.textsOf('okapi'), known.sequenceOf(1), known.bytes > 0]).toEqual([found, 'okapi zebra', true]);
  known.change([1]);
  expect([known.textsOf('okapi'), known.sequenceOf(1), known.sequenceOf(2)]).toEqual([
    undefined,
    undefined,
    'okapi zebra',
  ]);
});

it('does not keep what was read before a change and arrives after it', () => {
  const known = new KnownWords(100_000);
  const { generation } = known;
  known.change([]);
  known.keepTexts('okapi', found, generation);
  known.keepSequence(1, 'okapi', generation);
  expect([known.textsOf('okapi'), known.sequenceOf(1), known.bytes]).toEqual([undefined, undefined, 0]);
});

it('stays below its bound', () => {
  const known = new KnownWords(10_000);
  for (let text = 0; text < 1000; text++) {
    known.keepSequence(text, 'okapi', known.generation);
    known.keepTexts(`okapi${text}`, found, known.generation);
  }
  expect(known.bytes).toBeLessThanOrEqual(10_000);
  expect(known.sequenceOf(999)).toBe('okapi');
});
