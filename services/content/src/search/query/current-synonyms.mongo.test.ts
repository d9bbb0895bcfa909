import { createLogger } from '@knowledge/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SynonymWords } from '../../base/search-words.js';
import { ChangeStream } from '../../changes/stream.js';
import { openStoredLog, type StoredLog } from '../../testing/open-stores.js';
import { holdSynonyms } from './synonyms.js';

const log = createLogger({ name: 'synonyms', level: 'silent' });
let changes: StoredLog;
beforeAll(() => {
  changes = openStoredLog('synonyms');
});
afterAll(() => changes.remove());

/** One replica: its own change stream, and a list that the test can let fail. */
function openReplica(list: (signal: AbortSignal) => Promise<readonly SynonymWords[]>) {
  const changeStream = new ChangeStream({ changes, log });
  const synonyms = holdSynonyms({ list, changeStream, log });
  return { changeStream, synonyms, close: () => changeStream.close() };
}

const group = (...words: string[]): SynonymWords => ({ words, from: [] });

it('reads the groups again in every replica after a change of synonyms, and only then', async () => {
  let stored = [group('a', 'b')];
  let reads = 0;
  const list = async () => {
    reads += 1;
    return stored;
  };
  const replicas = [openReplica(list), openReplica(list)];
  for (const { synonyms, changeStream } of replicas) {
    await changeStream.syncWhenFollowing();
    expect(await synonyms.current()).toBe(stored);
  }
  stored = [group('a', 'b', 'c')];
  await changes.commit({ subject: 'article' }, { subject: 'synonyms', key: 'a' });
  for (const { synonyms, changeStream } of replicas) {
    await changeStream.sync();
    expect(await synonyms.current()).toBe(stored);
  }
  const before = reads;
  await changes.commit({ subject: 'article' }, { subject: 'object' });
  for (const { synonyms, changeStream } of replicas) {
    await changeStream.sync();
    await synonyms.current();
  }
  expect(reads).toBe(before);
  await Promise.all(replicas.map((each) => each.close()));
});

it('reads the groups of an import in few reads', async () => {
  let reads = 0;
  const replica = openReplica(async () => {
    reads += 1;
    return [];
  });
  await replica.synonyms.current();
  await replica.changeStream.syncWhenFollowing();
  for (let at = 0; at < 60; at += 1) {
    await changes.commit({ subject: 'synonyms', key: `${at}` });
    await replica.changeStream.sync();
  }
  await replica.synonyms.current();
  expect(reads).toBeLessThan(20);
  await replica.close();
});

it('keeps the old groups while the database fails, holds nobody up, and reads again', async () => {
  let failing = false;
  let stored = [group('a', 'b')];
  const replica = openReplica(async () => {
    if (failing) throw new Error('no database');
    return stored;
  });
  const { synonyms, changeStream } = replica;
  await changeStream.syncWhenFollowing();
  await synonyms.current();
  failing = true;
  stored = [group('x', 'y')];
  await changes.commit({ subject: 'synonyms', key: 'a' });
  await changeStream.sync();
  expect(await synonyms.current()).toEqual([group('a', 'b')]);
  failing = false;
  expect(await synonyms.current()).toBe(stored);
  await replica.close();
});
