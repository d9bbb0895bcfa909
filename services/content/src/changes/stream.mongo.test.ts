import { createLogger } from '@knowledge/runtime';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import { createMetrics } from '@knowledge/runtime/testing';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openStoredLog } from '../testing/open-stores.js';
import type { ChangeLog } from './log.js';
import { ChangeStream, checkChangeStream, measureChangeStream } from './stream.js';

const { signal } = new AbortController();
const changes = openStoredLog('changeStream');
let lines: Record<string, unknown>[];
const feeds: ChangeStream[] = [];
beforeEach(async () => {
  await changes.cut(0);
  lines = [];
});
afterEach(async () => {
  for (const changeStream of feeds.splice(0)) await changeStream.close();
});
afterAll(() => changes.remove());

const range = (length: number) => Array.from({ length }, (_, at) => at + 1);

/** A stream that is followed, and what a listener heard from it. */
async function listening(other: Partial<ChangeLog> = {}) {
  const changeStream = follow(other);
  const position = await changeStream.syncWhenFollowing();
  return { changeStream, position, ...listenTo(changeStream) };
}

function follow(other: Partial<ChangeLog> = {}): ChangeStream {
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = createLogger({ name: 'test', destination: { write } });
  const changeStream = new ChangeStream({ changes: { ...changes, ...other }, log });
  feeds.push(changeStream);
  return changeStream;
}

function listenTo(changeStream: ChangeStream) {
  const heard: (number | 'reset')[] = [];
  const change = ({ position }: { readonly position: number }) => heard.push(position);
  return { heard, end: changeStream.subscribe({ change, reset: () => heard.push('reset') }) };
}

const logged = (message: string) => lines.filter((line) => line['message'] === message);

/** A stream of commits that never delivers a change. */
const silentTail: ChangeLog['follow'] = () => {
  const tail = changes.follow();
  return { next: () => tail.next().then(() => undefined), close: () => tail.close() };
};

/** A stream of commits on which nothing ever happens. */
const stillTail: ChangeLog['follow'] = () => ({ next: () => new Promise(() => undefined), close: async () => {} });

/** Makes a stream of commits that fails while `broken` is true. */
function breakableTail() {
  const state = { broken: true, closed: 0 };
  const follow: ChangeLog['follow'] = () => {
    const tail = changes.follow();
    return {
      next: () => (state.broken ? Promise.reject(new Error('cut')) : tail.next()),
      async close() {
        state.closed += 1;
        await tail.close();
        throw new Error('gone');
      },
    };
  };
  return { state, follow };
}

it('begins at the end of the log and passes on committed changes', async () => {
  await changes.commit({}, {});
  const { changeStream, position, heard, end } = await listening();
  expect(position).toBe(2);
  await changes.commit({}, {});
  await expect.poll(() => heard).toEqual([3, 4]);
  expect(changeStream).toMatchObject({ position: 4, following: true });
  expect(logged('following the change log')).toMatchObject([{ level: 'info', position: 2 }]);
  end();
  await changes.commit({});
  expect(await changeStream.sync()).toBe(5);
  expect(heard).toEqual([3, 4]);
});

it('reads missing changes from the log, each once', async () => {
  const limits: number[] = [];
  const after: ChangeLog['after'] = (position, limit, signal) => {
    limits.push(limit);
    return changes.after(position, limit, signal);
  };
  const { changeStream, heard } = await listening({ after, follow: silentTail });
  await changes.commit(...range(600).map(() => ({})));
  // On a busy machine one sync may reach its deadline; the next one continues.
  await vi.waitFor(() => changeStream.sync());
  expect(heard).toEqual(range(600));
  expect(changeStream.position).toBe(600);
  expect(new Set(limits)).toEqual(new Set([500]));
  const reads = limits.length;
  await changeStream.sync();
  expect(limits).toHaveLength(reads);
});

it('reads the log when the stream of commits has a gap, and ignores repeated changes', async () => {
  const brought: number[] = [];
  const confused: ChangeLog['follow'] = () => {
    const tail = silentTail();
    const next = async (position = brought.shift()) =>
      position === undefined ? tail.next() : (await changes.after(position - 1, 1, signal))[0];
    return { next: () => next(), close: () => tail.close() };
  };
  const { changeStream, heard } = await listening({ follow: confused });
  await changes.commit({}, {}, {}, {});
  brought.push(4, 2, 4, 1);
  await expect.poll(() => brought).toEqual([]);
  await changeStream.sync();
  expect(heard).toEqual([1, 2, 3, 4]);
});

it('resets its listeners when the log has a gap', async () => {
  const { changeStream, heard } = await listening({ follow: silentTail });
  await changes.commit({}, { _id: 5 }, { _id: 6 });
  expect(await changeStream.sync()).toBe(6);
  expect(heard).toEqual([1, 'reset', 6]);
  expect(logged('changes are missing from the change log')).toMatchObject([{ level: 'error', after: 1, next: 5 }]);
});

it('resets its listeners when the log is shorter than before', async () => {
  await changes.commit({}, {}, {});
  const { changeStream, heard } = await listening({ follow: silentTail });
  await changeStream.sync();
  expect(heard).toEqual([]);
  await changes.cut(1);
  expect(await changeStream.sync()).toBe(1);
  expect(heard).toEqual(['reset']);
  const jump = 'the position in the change log jumped; watchers begin again';
  expect(logged(jump)).toMatchObject([{ level: 'warn', was: 3, is: 1 }]);
});

it('fails a sync when the log ends before the counter', async () => {
  let head = 0;
  const changeStream = follow({ head: async () => head, follow: silentTail });
  await changeStream.syncWhenFollowing();
  head = 3;
  await expect(changeStream.sync()).rejects.toThrow('The change log ends before its counter.');
  head = 0;
  expect(await changeStream.sync()).toBe(0);
});

it('shares one read of the counter among the waiting syncs', async () => {
  let heads = 0;
  const head: ChangeLog['head'] = (signal) => {
    heads += 1;
    return heads === 1 ? Promise.reject(new Error('down')) : changes.head(signal);
  };
  const changeStream = follow({ head, follow: stillTail });
  const syncs = range(1000).map(() => changeStream.sync());
  const [first, ...others] = await Promise.allSettled(syncs);
  expect(first?.status).toBe('rejected');
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
  expect(heads).toBe(2);
  await changeStream.sync();
  expect(heads).toBe(3);
});

it('reports since when it is up to date', async () => {
  const changeStream = follow({ follow: stillTail });
  const asked = performance.now();
  await changeStream.sync();
  const { upToDateAt } = changeStream;
  expect(upToDateAt).toBeGreaterThanOrEqual(asked);
  expect(upToDateAt).toBeLessThanOrEqual(performance.now());
  await changeStream.sync();
  expect(changeStream.upToDateAt).toBeGreaterThan(upToDateAt);
});

it('is not up to date until it follows the log, and logs when it lost the stream of commits', async () => {
  const { state, follow: breaking } = breakableTail();
  const changeStream = follow({ follow: breaking });
  let proven = false;
  const syncWhenFollowing = changeStream.syncWhenFollowing().then(() => {
    proven = true;
  });
  await expect.poll(() => state.closed).toBeGreaterThan(0);
  await changeStream.sync();
  expect({ proven, following: changeStream.following }).toEqual({ proven: false, following: false });
  await expect(checkChangeStream(changeStream)).rejects.toThrow('The change log is not followed.');
  expect(logged('lost the tail of the change log; opening a new one')).toEqual([]);
  state.broken = false;
  await syncWhenFollowing;
  await checkChangeStream(changeStream);
  state.broken = true;
  await expect.poll(() => changeStream.following).toBe(false);
  const [lost] = logged('lost the tail of the change log; opening a new one');
  expect(lost).toMatchObject({ level: 'warn', position: 0, err: { message: 'cut' } });
  const again = changeStream.syncWhenFollowing();
  state.broken = false;
  await again;
  expect(logged('following the change log')).toHaveLength(2);
});

it('rejects a running sync and closes the stream of commits when it is closed', async () => {
  const { state, follow: breaking } = breakableTail();
  const changeStream = follow({ follow: breaking });
  const syncWhenFollowing = changeStream.syncWhenFollowing();
  await changeStream.close();
  const closed = { name: 'AbortError', message: 'The change stream is closed.' };
  await expect(syncWhenFollowing).rejects.toMatchObject(closed);
  expect(state.closed).toBeGreaterThan(0);
  const followed = follow();
  await followed.syncWhenFollowing();
  await followed.close();
  expect(followed.following).toBe(false);
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
});

it('opens a new stream of commits when one is silent for too long', async () => {
  let tails = 0;
  const changeStream = follow({ follow: () => (++tails === 1 ? stillTail() : changes.follow()) });
  await changeStream.syncWhenFollowing();
  expect(tails).toBe(2);
});

it('measures the time since it was last proven up to date', async () => {
  const metrics = createMetrics('content');
  const changeStream = follow();
  await changeStream.syncWhenFollowing();
  const old = { ...changeStream, upToDateAt: performance.now() - 5000 } as ChangeStream;
  measureChangeStream(old, { metrics } as Telemetry);
  const { body: shown } = await metrics.expose();
  expect(shown).toContain('Seconds since it was last proven that no change is missing');
  expect(shown).toMatch(/^knowledge_change_feed_lag_seconds\S* [5-9]\./m);
});
