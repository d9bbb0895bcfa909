import { createLogger } from '@knowledge/runtime';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTagLists, readArticles } from './articles/read.js';
import type { Change, CommittedChanges } from './changes/log.js';
import { ChangeStream } from './changes/stream.js';
import { ChangeWatch, type WatchMessage } from './changes/watch.js';
import { openStores } from './testing/open-stores.js';

const log = createLogger({ name: 'test', level: 'silent' });
const { signal } = new AbortController();
const feeds: ChangeStream[] = [];
const stores = await openStores('changeStream');
afterAll(() => stores.close());
afterEach(async () => {
  for (const changeStream of feeds.splice(0)) await changeStream.close();
});

/** Follows the real log through a faulty stream of commits. */
function follow(spoil: (tail: CommittedChanges) => CommittedChanges): ChangeStream {
  const changes = { ...stores.changes, follow: () => spoil(stores.changes.follow()) };
  const changeStream = new ChangeStream({ changes, log });
  feeds.push(changeStream);
  return changeStream;
}

const deaf = (tail: CommittedChanges): CommittedChanges => ({
  next: () => tail.next().then(() => undefined),
  close: () => tail.close(),
});

// Drops and repeats changes of the real stream, and delivers them in the wrong order.
const confused = (tail: CommittedChanges): CommittedChanges => {
  const held: Change[] = [];
  return {
    async next() {
      const change = await tail.next();
      if (change !== undefined) held.push(change);
      const chosen = held[Math.floor(Math.random() * held.length)];
      if (Math.random() < 0.5) held.splice(0, held.length - 2);
      return Math.random() < 0.3 ? undefined : chosen;
    },
    close: () => tail.close(),
  };
};

const breaking = (tail: CommittedChanges): CommittedChanges => {
  let left = 3;
  return {
    async next() {
      left -= 1;
      if (left === 0) throw new Error('broken');
      return tail.next();
    },
    close: () => tail.close(),
  };
};

describe.each([
  ['tells nothing', deaf],
  ['tells what it likes', confused],
  ['breaks all the time', breaking],
])('with a tail that %s', (_, spoil) => {
  it('sends a pong after every change that was acknowledged before its ping', async () => {
    const changeStream = follow(spoil);
    const watch = new ChangeWatch({ changeStream, changes: stores.changes }, undefined, signal);
    const heard: WatchMessage[] = [];
    const pongs = new Map<string, () => void>();
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const reading = (async () => {
      for await (const message of watch.messages()) {
        heard.push(message);
        if (message.kind === 'started') begin();
        if (message.kind === 'pong') pongs.get(message.nonce)?.();
      }
    })();
    await begun;
    for (let nonce = 1; nonce <= 20; nonce++) {
      await stores.publish('watched');
      const answered = new Promise<void>((resolve) => pongs.set(String(nonce), resolve));
      watch.ping(String(nonce));
      await answered;
      expect(heard.filter(({ kind }) => kind === 'change')).toHaveLength(nonce);
    }
    watch.end();
    await reading;
    const [started, ...rest] = heard;
    const positions = rest.flatMap((message) => (message.kind === 'change' ? [message.change.position] : []));
    const first = started?.kind === 'started' ? started.position + 1 : 0;
    expect(positions).toEqual(positions.map((_, index) => first + index));
  });

  it('stops relating an archived article to others', async () => {
    const changeStream = follow(spoil);
    const parts = { reads: stores.reads, changeStream, tagLists: createTagLists(stores.reads, changeStream) };
    const related = async () => {
      const found = await readArticles(parts, [{ site: 'org', slug: 'stays' }], signal);
      return found.get('org/stays')?.related.map(({ slug }) => slug);
    };
    await stores.publish('stays', ['rel']);
    for (let round = 0; round < 10; round++) {
      await stores.publish('goes', ['rel']);
      expect(await related()).toEqual(['goes']);
      await stores.archive('goes');
      expect(await related()).toEqual([]);
    }
  });
});
