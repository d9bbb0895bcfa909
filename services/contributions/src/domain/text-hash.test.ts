import { expect, it } from 'vitest';
import { textHashOf } from './text.js';

it('is equal for texts that differ only in white space', () => {
  const hash = textHashOf('One text, twice.');
  expect(hash).toMatch(/^[\w-]{27}$/);
  expect(textHashOf('  One\n\ttext,  twice.\n')).toBe(hash);
  expect(textHashOf('One text,twice.')).not.toBe(hash);
  expect(textHashOf('One text, twice')).not.toBe(hash);
});
