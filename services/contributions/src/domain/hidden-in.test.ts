import { expect, it } from 'vitest';
import { hiddenIn } from './catalog-object.js';

type Fields = Parameters<typeof hiddenIn>[0];

const fields = (sent: Partial<Fields>) => hiddenIn({ title: null, name: null, body: '', ...sent } as Fields);

it('lists each hidden character with its field and position', () => {
  expect(fields({ title: 'A\u202eB', name: 'Jo\u200b', body: '\u200bx' })).toEqual([
    'title: U+202E (right-to-left override) at character 2',
    'name: U+200B (zero-width space) at character 3',
    'body: U+200B (zero-width space) at character 1',
  ]);
  expect(fields({ body: 'nothing is hidden' })).toEqual([]);
});

it('lists at most ten hidden characters of a contribution', () => {
  expect(fields({ title: '\u200b'.repeat(4), body: '\u200b'.repeat(50) })).toHaveLength(10);
});
