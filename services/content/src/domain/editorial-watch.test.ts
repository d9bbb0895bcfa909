import { createLogger } from '@knowledge/runtime';
import { expect, it } from 'vitest';
import { changeLogInMemory } from '../testing/change-log-in-memory.js';
import { factsOfChange } from './change.js';
import { limitReads } from './change-log.js';
import { openChangeStream } from './change-stream.js';
import { watchedChanges } from './editorial-watch.js';

const { signal } = new AbortController();

it('reads the newest changes from memory and older ones from the log', async () => {
  const changes = changeLogInMemory();
  changes.commit({}, {});
  const changeStream = openChangeStream({ changes, log: createLogger({ name: 'test', level: 'silent' }) });
  const watched = watchedChanges(changeStream, changes);
  expect(await watched.sync()).toBe(2);
  expect(watched.recent.head).toBe(2);
  expect(watched.recent.after(1)).toBeUndefined();
  changes.commit({}, {});
  expect(await watched.sync()).toBe(4);
  expect(watched.recent.after(2)?.map(({ position }) => position)).toEqual([3, 4]);
  expect((await watched.read(1, 2, signal)).map(({ position }) => position)).toEqual([2, 3]);
  expect(await watched.positionBefore(new Date(3), signal)).toBe(2);
  expect(await watched.positionBefore(new Date(5), signal)).toBeUndefined();
  const { generation } = watched.recent;
  changes.changes.splice(1);
  await watched.sync();
  expect(watched.recent).toMatchObject({ head: 1, generation: generation + 1 });
  await changeStream.close();
});

it('lets at most four streams read the log at the same time', async () => {
  let reading = 0;
  const release: (() => void)[] = [];
  const wait = async () => {
    reading += 1;
    await new Promise<void>((resolve) => release.push(resolve));
  };
  const changes = changeLogInMemory();
  const log = limitReads({
    ...changes,
    after: (...args) => wait().then(() => changes.after(...args)),
    before: (...args) => wait().then(() => changes.before(...args)),
  });
  changes.commit({}, {}, {});
  const reads = [0, 1, 2].map((position) => log.after(position, 1, signal));
  const befores = [1, 2].map((at) => log.before(new Date(at), signal));
  await expect.poll(() => reading).toBe(4);
  for (const go of release.splice(0)) go();
  await expect.poll(() => reading).toBe(5);
  for (const go of release) go();
  const read = await Promise.all(reads);
  expect(read.map((each) => each.map(({ position }) => position))).toEqual([[1], [2], [3]]);
  expect(await Promise.all(befores)).toEqual([0, 1]);
  expect(await log.head(signal)).toBe(3);
});

it('gives filters the author, the subject and the time of a change', () => {
  const changes = changeLogInMemory();
  changes.commit({ subject: 'object', key: 'o1' });
  const [change] = changes.changes;
  if (change === undefined) throw new Error('nothing was committed');
  expect(factsOfChange(change)).toEqual({ subject: 'object', id: 'o1', actor: 'ann', at: new Date(1) });
});
