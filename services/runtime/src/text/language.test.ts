import { expect, it } from 'vitest';
import { canonicalLanguage } from './language.js';

it.each([
  ['de-ch', 'de-CH'],
  ['sr-latn', 'sr-Latn'],
  ['gsw', 'gsw'],
  // A registered language for which Node has no name.
  ['aaa', 'aaa'],
  ['xx', undefined],
  ['xx-nonsense', undefined],
  ['english', undefined],
])('reads %s as %s', (tag, canonical) => {
  expect(canonicalLanguage(tag)).toBe(canonical);
});
