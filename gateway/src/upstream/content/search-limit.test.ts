import { networksOf } from '@knowledge/runtime/http';
import { expect, it, vi } from 'vitest';
import { createSearchLimit, type SearchBounds } from './search-limit.js';

const far = () => Date.now() + 60_000;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const refused = { code: 'unavailable', retryAfterSeconds: 1 };

/** A limit whose searches end one after the other when the test says so. `order` has the names of those that have begun. */
function controlled(bounds: Partial<SearchBounds> = {}, onRefused = () => {}) {
  const limit = createSearchLimit(onRefused, { running: 1, runningPerNetwork: 1, waiting: 100, ...bounds });
  const order: string[] = [];
  const running: (() => void)[] = [];
  return {
    order,
    running,
    search: (name: string, address: string, deadline = far()) =>
      limit.run(networksOf(address), deadline, () => {
        order.push(name);
        return new Promise<string>((resolve) => running.push(() => resolve(name)));
      }),
    async endAll() {
      await settle();
      for (let end = running.shift(); end !== undefined; end = running.shift()) {
        end();
        await settle();
      }
    },
  };
}

const all = (names: string, search: (name: string) => Promise<string>) =>
  [...names].map((name) => search(name).catch(({ code }) => code));

it('lets networks take turns, whatever came first', async () => {
  const { search, order, endAll } = controlled();
  const results = [
    ...all('abcdef', (name) => search(name, '203.0.113.9')),
    ...all('123', (name) => search(name, '198.51.100.7')),
    search('x', '192.0.2.1'),
  ];
  await endAll();
  expect(order.join('')).toBe('ab1xc2d3ef');
  expect(await Promise.all(results)).toEqual([...'abcdef123x']);
});

it('counts the networks inside a wide one together, and lets them take turns there', async () => {
  const { search, order, endAll } = controlled();
  void search('-', '192.0.2.1');
  for (const at of [1, 2, 3, 4]) void search(`a${at}`, `2001:db8:0:${at}::1`);
  void search('b1', '2001:db8:0:1::2');
  void search('x', '2001:db9::1');
  void search('y', '2001:db8:7::1');
  await endAll();
  expect(order).toEqual(['-', 'a1', 'x', 'y', 'a2', 'a3', 'a4', 'b1']);
});

it('runs a few at once, and leaves places for other networks', async () => {
  const { search, order, running, endAll } = controlled({ running: 3, runningPerNetwork: 2 });
  const results = all('abcd', (name) => search(name, '203.0.113.9'));
  await settle();
  expect(order).toEqual(['a', 'b']);
  results.push(search('x', '198.51.100.7'), search('y', '192.0.2.1'));
  await settle();
  expect(order).toEqual(['a', 'b', 'x']);
  running.shift()?.();
  await settle();
  expect(order).toEqual(['a', 'b', 'x', 'c']);
  await endAll();
  expect((await Promise.all(results)).join('')).toBe('abcdxy');
});

it('refuses what is beyond its bound: the newest of the network that has the most', async () => {
  const onRefused = vi.fn();
  const { search, endAll } = controlled({ waiting: 3 }, onRefused);
  const rude = all('abcd', (name) => search(name, '203.0.113.9'));
  const others = ['198.51.100.7', '192.0.2.1'].map((address) => search(address, address));
  expect(await rude[3]).toBe('unavailable');
  expect(await rude[2]).toBe('unavailable');
  await expect(search('e', '203.0.113.9')).rejects.toMatchObject(refused);
  expect(onRefused).toHaveBeenCalledTimes(3);
  await endAll();
  expect(await Promise.all([...rude.slice(0, 2), ...others])).toEqual(['a', 'b', '198.51.100.7', '192.0.2.1']);
});

it('gives the place of a failed search to the next, and counts it no more', async () => {
  const limit = createSearchLimit(() => {}, { running: 1, runningPerNetwork: 1, waiting: 2 });
  const failing = limit.run(['a'], far(), () => Promise.reject(new Error('broken')));
  const next = limit.run(['a'], far(), async () => 'found');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('found');
  const more = [1, 2].map(() => limit.run(['a'], far(), async () => 'found'));
  expect(await Promise.all(more)).toEqual(['found', 'found']);
});

it('refuses a search whose deadline passes while it waits, and forgets it', async () => {
  const { search, order, endAll } = controlled({ waiting: 1 });
  const results = [search('a', '203.0.113.9')];
  await expect(search('late', '203.0.113.9', Date.now())).rejects.toMatchObject(refused);
  results.push(search('b', '203.0.113.9'));
  await endAll();
  expect(await Promise.all(results)).toEqual(['a', 'b']);
  expect(order).toEqual(['a', 'b']);
});
