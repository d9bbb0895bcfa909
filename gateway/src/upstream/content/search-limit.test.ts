import { describe, expect, it, vi } from 'vitest';
import { createSearchLimit } from './search-limit.js';

const far = () => Date.now() + 60_000;
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Searches that end when the test says so. */
function controlled() {
  const ends: (() => void)[] = [];
  return {
    ends,
    search: () => new Promise<string>((resolve) => ends.push(() => resolve('found'))),
  };
}

describe('the limit of searches', () => {
  it('runs a few at once, and the others in their order', async () => {
    const limit = createSearchLimit(() => {}, { running: 2, unfinished: 10, unfinishedPerCaller: 10 });
    const { ends, search } = controlled();
    const order: number[] = [];
    const all = [0, 1, 2, 3].map((at) => limit.run('a', far(), search).then(() => order.push(at)));
    await settle();
    expect(ends).toHaveLength(2);
    for (let at = 0; at < 4; at += 1) {
      ends[at]?.();
      await settle();
    }
    await Promise.all(all);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  it('refuses what is beyond its bounds with unavailable, and one caller leaves room for others', async () => {
    const refused = vi.fn();
    const limit = createSearchLimit(refused, { running: 1, unfinished: 3, unfinishedPerCaller: 2 });
    const { ends, search } = controlled();
    const all = [limit.run('rude', far(), search), limit.run('rude', far(), search)];
    const error = { code: 'unavailable', retryAfterSeconds: 1 };
    await expect(limit.run('rude', far(), search)).rejects.toMatchObject(error);
    all.push(limit.run('other', far(), search));
    await expect(limit.run('third', far(), search)).rejects.toMatchObject(error);
    expect(refused).toHaveBeenCalledTimes(2);
    for (let at = 0; at < 3; at += 1) {
      ends[at]?.();
      await settle();
    }
    expect(await Promise.all(all)).toEqual(['found', 'found', 'found']);
  });

  it('gives the place of a failed search to the next, and counts it no more', async () => {
    const limit = createSearchLimit(() => {}, { running: 1, unfinished: 2, unfinishedPerCaller: 2 });
    const failing = limit.run('a', far(), () => Promise.reject(new Error('broken')));
    const next = limit.run('a', far(), async () => 'found');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('found');
    expect(await Promise.all([1, 2].map(() => limit.run('a', far(), async () => 'found')))).toEqual(['found', 'found']);
  });

  it('refuses a search whose deadline passes while it waits, and forgets it', async () => {
    const limit = createSearchLimit(() => {}, { running: 1, unfinished: 2, unfinishedPerCaller: 2 });
    const { ends, search } = controlled();
    const first = limit.run('a', far(), search);
    await expect(limit.run('a', Date.now(), search)).rejects.toMatchObject({ code: 'unavailable' });
    const third = limit.run('a', far(), search);
    ends[0]?.();
    await settle();
    ends[1]?.();
    expect(await Promise.all([first, third])).toEqual(['found', 'found']);
  });
});
