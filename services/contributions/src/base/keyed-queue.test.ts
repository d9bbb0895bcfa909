import { expect, it } from 'vitest';
import { createKeyedQueue } from './keyed-queue.js';

const { signal } = new AbortController();

it('runs tasks with one key in order even if some fail, and other keys in parallel', async () => {
  const queue = createKeyedQueue();
  const seen: string[] = [];
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = queue.run('a', signal, () => blocked.then(() => void seen.push('first')));
  const second = queue.run('a', signal, async () => {
    seen.push('second');
    throw new Error('failed');
  });
  const third = queue.run('a', signal, async () => void seen.push('third'));
  await queue.run('b', signal, async () => void seen.push('other'));
  release();
  await first;
  await expect(second).rejects.toThrow('failed');
  await third;
  expect(seen).toEqual(['other', 'first', 'second', 'third']);
});

it('skips a task whose caller has disconnected', async () => {
  const queue = createKeyedQueue();
  const gone = queue.run('a', AbortSignal.abort(new Error('gone')), async () => 'done');
  await expect(gone).rejects.toThrow('gone');
  expect(await queue.run('a', signal, async () => 'next')).toBe('next');
});
