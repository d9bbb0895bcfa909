import { expect, it } from 'vitest';
import type { Change } from '../../domain/change.js';
import { createArrivedChanges } from './arrived-changes.js';

const change = (position: number) => ({ position }) as Change;
const signal = AbortSignal.timeout(10_000);

it('reads the log only for changes that did not arrive', async () => {
  const read: number[] = [];
  const changes = createArrivedChanges({
    async after(position) {
      read.push(position);
      return [change(position + 1)];
    },
  });
  const after = async (position: number, limit = 10) =>
    (await changes.after(position, limit, signal)).map((each) => each.position);
  expect(await after(4)).toEqual([5]);
  for (const position of [7, 8, 9]) changes.note(change(position));
  expect([await after(6), await after(6, 2), await after(8)]).toEqual([[7, 8, 9], [7, 8], [9]]);
  expect(read).toEqual([4]);
  expect([await after(5), await after(9)]).toEqual([[6], [10]]);
  for (let position = 10; position < 5000; position++) changes.note(change(position));
  expect([await after(6), await after(4900, 1)]).toEqual([[7], [4901]]);
  changes.clear();
  expect(await after(4900)).toEqual([4901]);
  expect(read).toEqual([4, 5, 9, 6, 4900]);
});
