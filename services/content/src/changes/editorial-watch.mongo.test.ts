import { createLogger } from '@knowledge/runtime';
import { afterAll, expect, it } from 'vitest';
import { openStoredLog } from '../testing/open-stores.js';
import { ChangeStream } from './stream.js';
import { watchedChanges } from './watch.js';

const { signal } = new AbortController();
const changes = openStoredLog('editorialWatch');
afterAll(() => changes.remove());

it('reads the newest changes from memory and older ones from the log', async () => {
  await changes.commit({}, {});
  const changeStream = new ChangeStream({ changes, log: createLogger({ name: 'test', level: 'silent' }) });
  const watched = watchedChanges(changeStream, changes);
  expect(await watched.sync()).toBe(2);
  expect(watched.recent.head).toBe(2);
  expect(watched.recent.after(1)).toBeUndefined();
  await changes.commit({}, {});
  expect(await watched.sync()).toBe(4);
  expect(watched.recent.after(2)?.map(({ position }) => position)).toEqual([3, 4]);
  expect((await watched.read(1, 2, signal)).map(({ position }) => position)).toEqual([2, 3]);
  expect(await watched.positionBefore(new Date(3), signal)).toBe(2);
  expect(await watched.positionBefore(new Date(5), signal)).toBeUndefined();
  const { generation } = watched.recent;
  await changes.cut(1);
  await watched.sync();
  expect(watched.recent).toMatchObject({ head: 1, generation: generation + 1 });
  await changeStream.close();
});
