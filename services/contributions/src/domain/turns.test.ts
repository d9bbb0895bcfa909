import { expect, it } from 'vitest';
import { createTurns } from './turns.js';

const { signal } = new AbortController();

it('runs what is under one key in order, whatever fails, and other keys beside it', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = turns.take('a', signal, () => blocked.then(() => void seen.push('first')));
  const second = turns.take('a', signal, async () => {
    seen.push('second');
    throw new Error('failed');
  });
  const third = turns.take('a', signal, async () => void seen.push('third'));
  await turns.take('b', signal, async () => void seen.push('other'));
  release();
  await first;
  await expect(second).rejects.toThrow('failed');
  await third;
  expect(seen).toEqual(['other', 'first', 'second', 'third']);
});

it('skips what nobody waits for any more', async () => {
  const turns = createTurns();
  const gone = turns.take('a', AbortSignal.abort(new Error('gone')), async () => 'done');
  await expect(gone).rejects.toThrow('gone');
  expect(await turns.take('a', signal, async () => 'next')).toBe('next');
});
