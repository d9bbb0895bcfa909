import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/desk-error.js';
import { keepNotes, readChoices, withHighlight } from './highlights.js';

describe('readChoices', () => {
  it('keeps the order of slugs, and finds notes at any place', () => {
    expect(readChoices(['b', 'a', 'a=two = 2'], ['b=one'], false)).toEqual([
      { slug: 'b', editorNote: 'one' },
      { slug: 'a', editorNote: 'two = 2' },
    ]);
    expect(readChoices(['c'], [], false)).toEqual([{ slug: 'c' }]);
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

describe('the notes of highlights', () => {
  const before = [
    { slug: 'a', editorNote: 'why a' },
    { slug: 'b', editorNote: '' },
  ];

  it('are kept if none is given, and can be set to empty', () => {
    const wanted = [{ slug: 'b' }, { slug: 'a' }, { slug: 'c' }];
    expect(keepNotes(wanted, before).map(({ editorNote }) => editorNote)).toEqual(['', 'why a', '']);
    expect(keepNotes([{ slug: 'a', editorNote: '' }], before)).toEqual([{ slug: 'a', editorNote: '' }]);
  });

  it('stay when an article is added or moved', () => {
    expect(withHighlight(before, 'c', 1, 'why c')).toEqual([{ slug: 'c', editorNote: 'why c' }, ...before]);
    expect(withHighlight(before, 'a', 2, undefined).map(({ slug }) => slug)).toEqual(['b', 'a']);
    expect(withHighlight(before, 'a', undefined, 'new')).toEqual([{ slug: 'a', editorNote: 'new' }, before[1]]);
  });
});
