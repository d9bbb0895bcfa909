import { expect, it } from 'vitest';
import { createPendingTexts } from './index-feed.js';

const signal = new AbortController().signal;

/** Whether a promise is resolved after the present work. */
async function isResolved(promise: Promise<unknown>): Promise<boolean> {
  let resolved = false;
  promise.then(
    () => {
      resolved = true;
    },
    () => undefined,
  );
  await new Promise((resolve) => setImmediate(resolve));
  return resolved;
}

it('waits for the changes before a call, not for later ones', async () => {
  const pending = createPendingTexts();
  await pending.settled(signal);
  pending.add('object/a');
  const settled = pending.settled(signal);
  const first = pending.take(1);
  pending.add('object/b');
  expect(await isResolved(settled)).toBe(false);
  first.done();
  expect(await isResolved(settled)).toBe(true);
  expect(pending.take(5).keys).toEqual(['object/b']);
});

it('reads a text again that changed during its read', async () => {
  const pending = createPendingTexts();
  pending.add('object/a');
  const read = pending.take(5);
  pending.add('object/a');
  const settled = pending.settled(signal);
  read.done();
  expect(await isResolved(settled)).toBe(false);
  const again = pending.take(5);
  expect(again.keys).toEqual(['object/a']);
  again.done();
  expect(await isResolved(settled)).toBe(true);
  expect(pending.isEmpty).toBe(true);
});

it('keeps texts whose read failed, oldest first', () => {
  const pending = createPendingTexts();
  for (const key of ['object/a', 'object/b', 'object/a', 'object/c'] as const) pending.add(key);
  expect(pending.take(2).keys).toEqual(['object/a', 'object/b']);
  expect(pending.take(5).keys).toEqual(['object/a', 'object/b', 'object/c']);
});

it('stops waiting when the caller does', async () => {
  const pending = createPendingTexts();
  pending.add('object/a');
  const call = new AbortController();
  const settled = pending.settled(call.signal);
  call.abort(new Error('gone'));
  await expect(settled).rejects.toThrow('gone');
  await expect(pending.settled(call.signal)).rejects.toThrow('gone');
});
