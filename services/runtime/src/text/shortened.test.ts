import { expect, it } from 'vitest';
import { shortened } from './shortened.js';

it('cuts between characters, never inside one', () => {
  const texts = ['abc', 'abcd', '😀😀😀', '😀😀😀😀'];
  expect(texts.map((text) => shortened(text, 3))).toEqual(['abc', 'ab…', '😀😀😀', '😀😀…']);
});
