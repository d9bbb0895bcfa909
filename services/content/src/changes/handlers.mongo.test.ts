import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { WatchChangesRequest, WatchChangesResponse } from '@knowledge/proto/knowledge/content/v1/content';
import { createLogger } from '@knowledge/runtime';
import { fromServiceError, type HandlerContext } from '@knowledge/runtime/grpc';
import type { Db, Long } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { asEditor, moved, openWatcher, serveContent } from '../testing/serve-content.js';
import { watchChanges } from './handlers.js';
import { changesOf, createChangeLog } from './store.js';
import { ChangeStream } from './stream.js';

const served = await serveContent();
afterAll(() => served.close());

it('sends a pong only after the changes that were acknowledged before its ping', async () => {
  const { editorial } = served;
  const slugs = Array.from({ length: 20 }, (_, index) => `article-${index}`);
  for (const slug of slugs) await served.put(slug, { publish: true });
  const watchers = [openWatcher(served), openWatcher(served)];
  await Promise.all(watchers.map(({ started }) => started));

  // The number of changes that the service has acknowledged.
  let acknowledged = 0;
  let done = false;
  const change = async (part: number): Promise<void> => {
    const mine = slugs.filter((_, index) => index % 4 === part);
    for (let step = 0; step < 20; step++) {
      const slug = mine[Math.floor(Math.random() * mine.length)] ?? '';
      const { article } = await editorial.archiveArticle(moved(slug), asEditor);
      const { article: again } = await editorial.publishArticle(moved(slug), asEditor);
      expect(again?.entry?.revision).toBe((article?.entry?.revision ?? 0) + 1);
      acknowledged += 2;
    }
  };
  let pongs = 0;
  const ping = async (watcher: (typeof watchers)[number]): Promise<void> => {
    while (!done) {
      const before = acknowledged;
      await watcher.ping();
      expect(watcher.changes.length).toBeGreaterThanOrEqual(before);
      pongs += 1;
    }
  };
  const pinging = watchers.flatMap((watcher) => [ping(watcher), ping(watcher), ping(watcher)]);
  await Promise.all([0, 1, 2, 3].map(change));
  done = true;
  await Promise.all(pinging);
  for (const watcher of watchers) {
    const positions = watcher.changes.map(({ position }) => position);
    const first = positions[0] ?? 0;
    expect(positions).toEqual(positions.map((_, index) => first + index));
    expect(positions.length).toBe(acknowledged);
    watcher.call.cancel();
  }
  expect(pongs).toBeGreaterThan(100);
}, 60_000);

it('first sends the changes after a position, and loses none when new changes follow', async () => {
  const head = await openWatcher(served).started;
  const writing = (async () => {
    for (let index = 0; index < 40; index++) {
      await served.put('growing', { title: `Title ${index}`, tags: [`t-${index}`] });
    }
  })();
  const watchers = [];
  for (let each = 0; each < 8; each++) {
    const watcher = openWatcher(served, 1);
    watchers.push(watcher);
    await watcher.ping();
  }
  await writing;
  for (const { ping, changes, call } of watchers) {
    expect(await ping()).toBe(head + 40);
    expect(changes.map(({ position }) => position)).toEqual(Array.from({ length: head + 39 }, (_, index) => index + 2));
    expect(changes.at(-1)).toMatchObject({ site: Site.ORG, key: 'growing', tags: ['t-38', 't-39'] });
    call.cancel();
  }
});

it('continues without a gap when the database closes its change stream', async () => {
  const { db } = served;
  const watcher = openWatcher(served);
  const begun = await watcher.started;
  for (let round = 1; round <= 5; round++) {
    await killChangeStreams(db);
    await served.put('killed', { title: `Round ${round}` });
    await watcher.ping();
    const positions = Array.from({ length: round }, (_, index) => begun + 1 + index);
    expect(watcher.changes.map(({ position }) => position)).toEqual(positions);
  }
  watcher.call.cancel();
});

it('ends the watch of a watcher that reads nothing', async () => {
  const changes = createChangeLog(changesOf(served.db));
  const changeStream = new ChangeStream({ changes, log: createLogger({ name: 'test', level: 'silent' }) });
  const { signal } = new AbortController();
  async function* requests(): AsyncGenerator<WatchChangesRequest> {
    yield { message: { $case: 'start', value: { afterPosition: '0' } } };
    for (let nonce = 0; ; nonce++) {
      yield { message: { $case: 'ping', value: { nonce: String(nonce) } } };
      if (nonce % 100 === 99) await changeStream.sync();
    }
  }
  const sent: WatchChangesResponse[] = [];
  const emit = (message: WatchChangesResponse): Promise<void> => {
    sent.push(message);
    // Blocks after ten messages, as if the buffers of the connection were full.
    return sent.length < 10 ? Promise.resolve() : new Promise(() => undefined);
  };
  await changeStream.syncWhenFollowing();
  const handle = watchChanges({ changeStream, changes });
  const context = { signal } as HandlerContext;
  await expect(handle(requests(), context, emit)).rejects.toThrow(/reads too slowly/);
  expect(sent).toHaveLength(10);
  await changeStream.close();
});

it('resumes after a cursor, and refuses a cursor from before a restore', async () => {
  const { db } = served;
  const put = (title: string) => served.put('resumed', { title });
  const first = openWatcher(served);
  await first.started;
  const atStart = first.cursor();
  await put('one');
  await first.ping();
  const afterOne = first.cursor();
  first.call.cancel();
  await put('two');
  for (const [cursor, titles] of [
    [atStart, 2],
    [afterOne, 1],
  ] as const) {
    const resumed = openWatcher(served, 0, cursor);
    await resumed.ping();
    expect(resumed.changes).toHaveLength(titles);
    resumed.call.cancel();
  }
  const whole = openWatcher(served, 0, '0');
  await whole.ping();
  expect(whole.changes[0]?.position).toBe(1);
  whole.call.cancel();

  const position = Number.parseInt(afterOne, 10);
  const changes = db.collection<{ _id: number }>('changes');
  await changes.updateOne({ _id: position }, { $set: { 'transition.at': new Date(0) } });
  const foreign = await openWatcher(served, 0, afterOne).over;
  expect(fromServiceError(foreign).code).toBe('validation_error');
});

it.each([
  ['a ping first', { $case: 'ping' as const, value: { nonce: '1' } }],
  ['a negative position', { $case: 'start' as const, value: { afterPosition: '-1' } }],
])('refuses %s', async (_, message) => {
  const call = served.content.watchChanges({ requestId: 'bad' });
  call.on('data', () => undefined);
  const failed = new Promise<unknown>((resolve) => call.on('error', resolve));
  call.write({ message });
  expect(fromServiceError(await failed).code).toBe('validation_error');
});

it('ends when the watcher has closed its side', async () => {
  const watcher = openWatcher(served);
  await watcher.started;
  watcher.call.end();
  expect(await watcher.over).toBeUndefined();
});

async function killChangeStreams({ client, databaseName }: Db): Promise<void> {
  const stages = [
    { $currentOp: { allUsers: true, idleCursors: true, localOps: true } },
    { $match: { ns: `${databaseName}.changes`, 'cursor.tailable': true } },
  ];
  let cursors: Long[] = [];
  // An earlier killed change stream may still be reopening, so this waits until one is open.
  while (cursors.length === 0) {
    const local = { readConcern: { level: 'local' as const } };
    const open = client.db('admin').aggregate<{ cursor: { cursorId: Long } }>(stages, local);
    cursors = (await open.toArray()).map(({ cursor }) => cursor.cursorId);
  }
  await client.db(databaseName).command({ killCursors: 'changes', cursors });
}
