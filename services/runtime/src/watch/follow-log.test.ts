import { expect, it, vi } from 'vitest';
import { createLogger } from '../log/logger.js';
import { createConcurrencyLimit } from './concurrency-limit.js';
import { readCursor, readWatchFilter } from './cursor.js';
import { followLog, type LogTail, type StoredLog, startLogTail } from './follow-log.js';

interface Entry {
  position: number;
  subject: string;
  id: string;
  actor: string;
  at: Date;
  to: string;
  audit?: true;
}

const day = (of: number) => new Date(Date.UTC(2026, 0, of));

/** A log in memory that counts its reads. */
function openLog(begin = 0) {
  const entries: Entry[] = [];
  const reads = { count: 0, atOnce: 0, most: 0 };
  const add = (fields: Partial<Entry> = {}): number => {
    const position = entries.length + 1;
    const facts = { subject: 'thing', id: `t${position}`, actor: 'ada', at: day(position), to: 'new' };
    entries.push({ position, ...facts, ...fields });
    return position;
  };
  for (let i = 0; i < begin; i++) add();
  const stored: StoredLog<Entry> = {
    collect: async () => false,
    last: async () => entries.length,
    before: async (since) => {
      const found = entries.findIndex(({ at }) => at >= since);
      return found === -1 ? undefined : found;
    },
    erases: ({ to }) => to === 'erased',
    async read(after, most) {
      reads.count++;
      reads.most = Math.max(reads.most, ++reads.atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      reads.atOnce--;
      return entries.slice(after, after + most);
    },
  };
  const tail = startLogTail(stored, createLogger({ name: 'watch', level: 'silent' }), 60_000);
  return { tail, reads, add };
}

/** Follows a log. `begun` is the cursor after which the stream began. */
function watch(tail: LogTail<Entry>, signal: AbortSignal, options: { after?: string; filter?: object } = {}) {
  const seen: Entry[] = [];
  let begin: (cursor: string) => void = () => undefined;
  const begun = new Promise<string>((resolve) => {
    begin = resolve;
  });
  const none = { actor: '', person: '', subject: '', id: '', since: undefined, until: undefined, audit: false };
  const filter = readWatchFilter({ ...none, ...options.filter });
  const after = readCursor(options.after ?? '');
  const entries = followLog(tail, { after, filter, factsOf: (entry) => entry, signal, begun: begin });
  const done = (async () => {
    for await (const entry of entries) seen.push(entry);
  })();
  done.catch(() => undefined);
  return { seen, done, begun };
}

it('sends a change to a thousand up-to-date streams with at most two reads of the log', async () => {
  const { tail, reads, add } = openLog(3);
  const stop = new AbortController();
  const watches = Array.from({ length: 1000 }, () => watch(tail, stop.signal));
  await Promise.all(watches.map(({ begun }) => begun));
  const before = reads.count;
  add();
  tail.kick();
  await expect.poll(() => watches.every(({ seen }) => seen.length === 1)).toBe(true);
  expect(reads.count - before).toBeLessThanOrEqual(2);
  stop.abort();
  await tail.close();
});

it('reads the log for slow streams, a few at a time, and loses and repeats no entry', async () => {
  const { tail, reads, add } = openLog(2500);
  const stop = new AbortController();
  const watches = Array.from({ length: 40 }, (_, i) => watch(tail, stop.signal, { after: `${i * 10}` }));
  await Promise.all(watches.map(({ begun }) => begun));
  for (let i = 0; i < 100; i++) add();
  tail.kick();
  await expect.poll(() => watches.every(({ seen }) => seen.at(-1)?.position === 2600)).toBe(true);
  for (const [i, { seen }] of watches.entries()) {
    const positions = Array.from({ length: 2600 - i * 10 }, (_, at) => i * 10 + 1 + at);
    expect(seen.map(({ position }) => position)).toEqual(positions);
  }
  expect(reads.most).toBeLessThanOrEqual(6);
  stop.abort();
  await tail.close();
});

it('filters by actor, id and time, includes looks on request, and ends at `until`', async () => {
  const { tail, add } = openLog(5);
  for (const actor of ['bob via desk', 'bobby']) add({ actor });
  for (const to of ['viewed', 'exported', 'blocked']) add({ to });
  const { signal } = new AbortController();
  const until = day(100);
  const positions = async (filter: object) => {
    const { seen, done } = watch(tail, signal, { after: '0', filter: { until, ...filter } });
    await done;
    return seen.map(({ position }) => position);
  };
  expect(await positions({})).toEqual([1, 2, 3, 4, 5, 6, 7, 10]);
  expect(await positions({ audit: true })).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(await positions({ actor: 'bob' })).toEqual([6]);
  expect(await positions({ id: 't3' })).toEqual([3]);
  expect(await positions({ since: day(4), until: day(6) })).toEqual([4, 5]);
  expect(await positions({ subject: 'other' })).toEqual([]);
  expect(await positions({ last: 3 })).toEqual([6, 7, 10]);
  expect(await positions({ last: 2, until: day(6) })).toEqual([4, 5]);
  expect(await positions({ last: 20_000, actor: 'ada', audit: true })).toEqual([1, 2, 3, 4, 5, 8, 9, 10]);
  for (const filter of [{ last: 20_001 }, { last: -1 }, { last: 1, until: undefined }]) {
    expect(() => watch(tail, signal, { filter: { until, ...filter } })).toThrow('filter.last must be 1 to 20000');
  }
  const fromThen = watch(tail, signal, { filter: { since: day(4), until } });
  await fromThen.done;
  expect(fromThen.seen.map(({ position }) => position)).toEqual([4, 5, 6, 7, 10]);
  await tail.close();
});

it('drops cached entries when the log erases their text', async () => {
  const { tail, add } = openLog();
  await tail.sync();
  add();
  await tail.sync();
  expect(tail.recent.after(0)).toHaveLength(1);
  add({ to: 'erased' });
  await tail.sync();
  expect(tail.recent.after(0)).toBeUndefined();
  expect(tail.recent.after(1)).toHaveLength(1);
  await tail.close();
});

it('ends the streams of a log that was replaced, and refuses an unknown position', async () => {
  const { tail } = openLog(2);
  const { signal } = new AbortController();
  const { begun, done } = watch(tail, signal);
  await begun;
  tail.recent.reset(0);
  await expect(done).rejects.toMatchObject({ code: 'unavailable' });
  await expect(watch(tail, signal, { after: '99' }).done).rejects.toMatchObject({ code: 'validation_error' });
  await tail.close();
});

it('refuses a cursor from before a restore if its entry was lost', async () => {
  const [before, restored] = [openLog(), openLog()];
  for (const { add } of [before, restored]) for (const id of ['a', 'b']) add({ id });
  before.add({ id: 'lost' });
  for (const id of ['other', 'more']) restored.add({ id });
  const { signal } = new AbortController();
  const cursors = await Promise.all(['0', '1', '2', '3'].map((after) => watch(before.tail, signal, { after }).begun));
  expect(cursors[0]).toBe('0');
  const [, , shared = '', lost = ''] = cursors;
  expect(await watch(before.tail, signal, { after: lost }).begun).toBe(lost);
  expect(await watch(restored.tail, signal, { after: shared }).begun).toBe(shared);
  const refused = { code: 'validation_error', message: expect.stringContaining('before a restore') };
  await expect(watch(restored.tail, signal, { after: lost }).done).rejects.toMatchObject(refused);
  await Promise.all([before.tail.close(), restored.tail.close()]);
});

it('reads valid cursors and refuses other texts', () => {
  expect(readCursor('')).toBeUndefined();
  expect(readCursor('0')).toEqual({ position: 0, mark: undefined });
  expect(readCursor('9007199254740991')?.position).toBe(9007199254740991);
  expect(readCursor('12-00c0ffee')).toEqual({ position: 12, mark: '00c0ffee' });
  for (const cursor of [
    ...['-1', '01', '1.5', ' 1', '1e3', 'x', '1-', '1-00C0FFEE', '1-00c0ffee0', '9007199254740993'],
    '99999999999999999999',
  ]) {
    expect(() => readCursor(cursor)).toThrow(expect.objectContaining({ code: 'validation_error' }));
  }
});

it('drops waiting work when its signal aborts', async () => {
  const limit = createConcurrencyLimit(1);
  const stop = new AbortController();
  let free: (() => void) | undefined;
  const first = limit.run(stop.signal, () => new Promise<void>((resolve) => (free = resolve)));
  const leaving = limit.run(stop.signal, async () => 'never');
  await vi.waitFor(() => expect(free).toBeDefined());
  stop.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  await expect(limit.run(stop.signal, async () => 'never')).rejects.toThrow('gone');
  free?.();
  await first;
  expect(await limit.run(new AbortController().signal, async () => 'next')).toBe('next');
});
