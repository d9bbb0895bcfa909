import { expect, it } from 'vitest';
import { readCursor } from './editorial-watch.js';

it('reads the cursors that a stream gave, and no others', () => {
  expect(readCursor('')).toBeUndefined();
  expect(readCursor('0')).toBe(0);
  expect(readCursor('9007199254740991')).toBe(9007199254740991);
  for (const cursor of ['-1', '01', '1.5', ' 1', '1e3', 'x', '9007199254740993', '99999999999999999999']) {
    expect(() => readCursor(cursor)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  }
});
