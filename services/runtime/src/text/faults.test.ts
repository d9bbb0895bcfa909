import { expect, it } from 'vitest';
import { lineFault, refuseFaults, shownLineFault, textFault } from './faults.js';

const bounds = { min: 2, max: 4 };

it('do not exist within the bounds, measured in code points', () => {
  for (const text of ['ab', '😀😀😀😀', ' ab ']) expect(textFault('name', text, bounds)).toBeUndefined();
});

it.each([
  ['a', 'name must have at least 2 characters; it has 1'],
  [' a', 'name must have at least 2 characters; it has 1, as white space at the ends does not count'],
  ['abcde', 'name must have at most 4 characters'],
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
  ['One\u2028Two', 'title must be one line; it has a line break at character 4'],
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
