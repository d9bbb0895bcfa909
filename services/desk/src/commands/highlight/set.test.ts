import { describe, expect, it } from 'vitest';
import { UsageError } from '../../desk-error.js';
import { readChoices } from './set.js';

describe('readChoices', () => {
  it('keeps the order and joins the notes, wherever they stand', () => {
    expect(readChoices(['b', 'a', 'a=two = 2'], ['b=one'], false)).toEqual([
      { slug: 'b', editorNote: 'one' },
      { slug: 'a', editorNote: 'two = 2' },
    ]);
    expect(readChoices([], [], true)).toEqual([]);
  });

  it.each([
    [[], [], false],
    [['a'], [], true],
    [['a'], ['b=x'], false],
    [['a'], ['a=x', 'a=y'], false],
    [['a'], ['=x'], false],
    [['a'], ['a'], false],
  ])('refuses %j with notes %j', (words, notes, clear) => {
    expect(() => readChoices(words, notes, clear)).toThrow(UsageError);
  });
});
