import { afterAll, expect, it } from 'vitest';
import { openStoredLog } from '../testing/open-stores.js';
import { factsOfChange, limitReads } from './log.js';

const { signal } = new AbortController();
const changes = openStoredLog('changeLog');
afterAll(() => changes.remove());

it('lets at most four streams read the log at the same time', async () => {
  let reading = 0;
  const release: (() => void)[] = [];
  const wait = async () => {
    reading += 1;
    await new Promise<void>((resolve) => release.push(resolve));
  };
  const log = limitReads({
    ...changes,
    after: (...args) => wait().then(() => changes.after(...args)),
    before: (...args) => wait().then(() => changes.before(...args)),
  });
  await changes.commit({}, {}, {});
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
  const at = new Date(1);
  const transition = { from: '', to: 'published', actor: 'ann', at, reason: '', revision: 1 };
  const change = { subject: 'object', site: 'org', key: 'o1', tags: [], transition, position: 1 } as const;
  expect(factsOfChange(change)).toEqual({ subject: 'object', id: 'o1', actor: 'ann', at });
});
