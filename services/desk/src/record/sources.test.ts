import { expect, it } from 'vitest';
import { UsageError } from '../base/desk-error.js';
import { joinCursors, splitCursors } from './sources.js';

it('can be split into its cursors again', () => {
  const cursors = { content: '12', contributions: 'a,b:c/ü', identity: '0', quota: '' };
  expect(joinCursors({ ...cursors, contributions: '3' })).toBe('content:12,contributions:3,identity:0');
  expect(splitCursors(joinCursors(cursors))).toEqual(cursors);
});

it('starts every log now, or at its beginning', () => {
  expect(splitCursors(undefined)).toEqual({ content: '', contributions: '', identity: '', quota: '' });
  expect(splitCursors('0')).toEqual({ content: '0', contributions: '0', identity: '0', quota: '0' });
});

it.each(['', 'x', '12', 'content:', 'content:1,content:2', 'mail:1', 'content:%zz', 'content:1;identity:2'])(
  'refuses %j',
  (cursor) => {
    expect(() => splitCursors(cursor)).toThrow(UsageError);
  },
);
