import { createLogger } from '@knowledge/runtime';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStoredLog } from '../testing/open-stores.js';
import type { ChangeLog } from './log.js';
import { ChangeStream } from './stream.js';
import { ChangeWatch } from './watch.js';

const { signal } = new AbortController();
const log = createLogger({ name: 'test', level: 'silent' });
const changes = openStoredLog('changeWatch');
let changeStream: ChangeStream;
beforeEach(async () => {
  await changes.cut(0);
  await changes.commit({}, {});
  changeStream = new ChangeStream({ changes, log });
  await changeStream.syncWhenFollowing();
});
afterEach(() => changeStream.close());
afterAll(() => changes.remove());

/** Collects the messages of a watch in short form: the position of a change, or the kind and its data. */
function collect(watch: ChangeWatch) {
  const sent: (number | string)[] = [];
  const over = (async () => {
    for await (const message of watch.messages()) {
      if (message.kind === 'change') sent.push(message.change.position);
      else if (message.kind === 'pong') sent.push(`pong ${message.nonce} ${message.position}`);
      else sent.push(`started ${message.position}`);
    }
  })();
  over.catch(() => undefined);
  return { sent, over };
}

const begin = (after?: number, from: ChangeLog = changes) =>
  new ChangeWatch({ changeStream, changes: from }, after, signal);
/** Begins a watch on a change stream with other parts. */
const beginOn = (parts: Partial<ChangeStream>) => {
  const own = {
    position: 2,
    syncWhenFollowing: () => changeStream.syncWhenFollowing(),
    subscribe: (listener: Parameters<ChangeStream['subscribe']>[0]) => changeStream.subscribe(listener),
  };
  return new ChangeWatch({ changeStream: { ...changeStream, ...own, ...parts }, changes }, undefined, signal);
};
/** Collects the messages of a watch that has begun. */
const started = async (watch: ChangeWatch) => {
  const { sent, over } = collect(watch);
  await expect.poll(() => sent).toEqual(['started 2']);
  return { watch, sent, over };
};
const errorOf = async (promise: Promise<unknown>) => {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome.status === 'rejected' ? outcome.reason : undefined;
};
const empty = (length: number) => Array.from({ length }, () => ({}));

it('sends the changes since its beginning, and a pong after the changes before its ping', async () => {
  const { watch, sent, over } = await started(begin());
  await changes.commit({}, {});
  watch.ping('x');
  watch.ping('y');
  await expect.poll(() => sent).toEqual(['started 2', 3, 4, 'pong x 4', 'pong y 4']);
  await changes.commit({});
  watch.ping('z');
  await expect.poll(() => sent.slice(5)).toEqual([5, 'pong z 5']);
  watch.end();
  await over;
});

it('first sends the changes after a position from the log', async () => {
  await changes.commit(...empty(448));
  await vi.waitFor(() => changeStream.sync());
  const asked: unknown[] = [];
  const counted: ChangeLog = {
    ...changes,
    after: async (position, limit, each) => {
      asked.push([position, limit, each === signal]);
      // A change is committed meanwhile, so the change stream delivers it.
      if (asked.length === 3) await changes.commit({});
      return changes.after(position, limit, each);
    },
  };
  const { sent } = collect(begin(10, counted));
  await expect.poll(() => sent.at(-1)).toBe(451);
  expect(sent).toEqual(['started 450', ...Array.from({ length: 441 }, (_, index) => index + 11)]);
  expect(asked).toEqual([10, 210, 410].map((position) => [position, 200, true]));
});

it('begins at the end if the position is beyond it, and continues if the log has nothing to send', async () => {
  const beyond = collect(begin(9));
  const empty = collect(begin(1, { ...changes, after: async () => [] }));
  await expect.poll(() => [beyond.sent, empty.sent]).toEqual([['started 2'], ['started 2']]);
  await changes.commit({});
  await expect.poll(() => [beyond.sent, empty.sent].map((sent) => sent.slice(1))).toEqual([[3], [3]]);
});

it('sends the waiting messages before it ends, and nothing after that', async () => {
  const watch = begin();
  const messages = watch.messages()[Symbol.asyncIterator]();
  expect((await messages.next()).value).toEqual({ kind: 'started', position: 2 });
  await changes.commit({});
  await changeStream.sync();
  watch.end();
  watch.end(new Error('too late'));
  await changes.commit({});
  await changeStream.sync();
  watch.ping('x');
  expect((await messages.next()).value).toMatchObject({ kind: 'change', change: { position: 3 } });
  expect(await messages.next()).toEqual({ done: true, value: undefined });
});

it('fails with the error that `end` received, also while it sends a message', async () => {
  const { watch, over } = await started(begin());
  const failed = errorOf(watch.failed);
  watch.end(new Error('enough'));
  expect(await errorOf(over)).toEqual(new Error('enough'));
  expect(await failed).toEqual(new Error('enough'));
});

it('fails with the reason of its abort signal', async () => {
  const gone = new AbortController();
  const { over } = await started(new ChangeWatch({ changeStream, changes }, undefined, gone.signal));
  gone.abort(new Error('gone'));
  expect(await errorOf(over)).toEqual(new Error('gone'));
  const late = collect(new ChangeWatch({ changeStream, changes }, undefined, gone.signal));
  expect(await errorOf(late.over)).toEqual(new Error('gone'));
  expect(late.sent).toEqual([]);
});

it('fails when the log is replaced', async () => {
  const { over } = await started(begin());
  await changes.cut(0);
  await changeStream.sync();
  const replaced = { code: 'unavailable', message: 'The change log was replaced; begin again.' };
  expect(await errorOf(over)).toMatchObject(replaced);
});

const slow = 'The watcher reads too slowly; begin again from the last position.';
const tooSlow = { code: 'unavailable', message: slow };

it('fails when more than 1000 messages wait', async () => {
  const watch = begin();
  const messages = watch.messages()[Symbol.asyncIterator]();
  await messages.next();
  await changes.commit(...empty(1000));
  await vi.waitFor(() => changeStream.sync());
  expect((await messages.next()).value).toMatchObject({ change: { position: 3 } });
  await changes.commit({}, {});
  await changeStream.sync();
  expect(await errorOf(messages.next())).toMatchObject(tooSlow);
  expect(await errorOf(watch.failed)).toMatchObject(tooSlow);
});

it('fails when more than 1000 pings wait', async () => {
  const watch = beginOn({ syncWhenFollowing: () => new Promise(() => undefined) });
  const failed = errorOf(watch.failed);
  let over = false;
  void failed.then(() => (over = true));
  for (let nonce = 0; nonce < 1000; nonce++) watch.ping(String(nonce));
  await changeStream.sync();
  expect(over).toBe(false);
  watch.ping('1000');
  expect(await failed).toMatchObject(tooSlow);
});

it('syncs once for all pings that came before, and fails if the sync fails', async () => {
  let proofs = 0;
  let fails = false;
  const syncWhenFollowing = async () => {
    proofs += 1;
    if (fails) throw new Error('closed');
    return changeStream.sync();
  };
  const { watch, sent, over } = await started(beginOn({ syncWhenFollowing }));
  for (const nonce of ['a', 'b', 'c']) watch.ping(nonce);
  await expect.poll(() => sent.slice(1)).toEqual(['pong a 2', 'pong b 2', 'pong c 2']);
  // One sync for the beginning, one for the first ping and one for the two later pings.
  expect(proofs).toBe(3);
  fails = true;
  watch.ping('d');
  expect(await errorOf(over)).toEqual(new Error('closed'));
});

it('removes its listeners from the change stream and from its signal when it ends', async () => {
  const listeners = new Set<unknown>();
  const subscribe: ChangeStream['subscribe'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const { watch, over } = await started(beginOn({ subscribe }));
  expect(listeners.size).toBe(1);
  watch.end();
  await over;
  expect(listeners.size).toBe(0);
});
