import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { Batcher, type BatcherOptions, type SendContext } from './batch.js';
import { deadlineIn } from './deadline.js';
import { KnowledgeError } from './errors/knowledge-error.js';

const generous = { maxItems: 100, maxInFlight: 1 };

/** A batcher for a destination whose responses the test controls. */
function batching<Item = number>(options: Partial<BatcherOptions<Item, Item>> = {}) {
  type Results = (Item | Error)[];
  const sends: { items: Item[]; context: SendContext; answer(results?: Results): void; fail(e: Error): void }[] = [];
  const send = (items: Item[], context: SendContext) =>
    new Promise<Results>((resolve, reject) => {
      sends.push({ items, context, answer: (results = items) => resolve(results), fail: reject });
    });
  const sizes = () => sends.map(({ items }) => items.length);
  const answered = (at: number) => Promise.resolve(sends[at]?.answer()).then(tick);
  return { sends, sizes, answered, batcher: new Batcher<Item, Item>({ ...generous, send, ...options }) };
}

const soon = () => ({ deadline: deadlineIn(5000) });
const tick = () => new Promise((resolve) => setImmediate(resolve));

it('sends a single call at once, and groups the calls that arrive meanwhile into the next send', async () => {
  const { sends, batcher } = batching();
  const first = batcher.add(1, soon());
  await Promise.resolve();
  expect(sends.map((each) => each.items)).toEqual([[1]]);
  const rest = [2, 3, 4].map((item) => batcher.add(item, soon()));
  await tick();
  expect(sends).toHaveLength(1);
  sends[0]?.answer();
  await expect(first).resolves.toBe(1);
  await tick();
  expect(sends.map((each) => each.items)).toEqual([[1], [2, 3, 4]]);
  sends[1]?.answer();
  await expect(Promise.all(rest)).resolves.toEqual([2, 3, 4]);
  expect(batcher).toMatchObject({ waiting: 0, inFlight: 0 });
});

it('gathers as many items as the send before had, if that had company', async () => {
  const { sends, sizes, answered, batcher } = batching({ gather: { maxMs: 60_000, below: 4 } });
  const add = async (...items: number[]): Promise<void> => {
    for (const item of items) void batcher.add(item, soon());
    await tick();
  };
  await add(1, 2, 3);
  await answered(0);
  await add(4);
  await add(5);
  expect(sizes()).toEqual([3]);
  await add(6);
  expect(sizes()).toEqual([3, 3]);
  await add(7, 8, 9, 10, 11);
  await answered(1);
  expect(sizes()).toEqual([3, 3, 5]);
  // After a large send and after a single item nothing waits.
  await answered(2);
  await add(12);
  await answered(3);
  await add(13);
  expect(sizes()).toEqual([3, 3, 5, 1, 1]);
  sends[4]?.answer();
  batcher.close();
});

it('gathers the callers of the send before beside those that wait already', async () => {
  const { sends, answered, batcher } = batching({ maxInFlight: 1, gather: { maxMs: 60_000, below: 16 } });
  for (const item of [1, 2, 3]) {
    void batcher.add(item, soon());
    await tick();
  }
  await answered(0);
  expect(sends).toHaveLength(1);
  void batcher.add(4, soon());
  await tick();
  expect(sends.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  sends[1]?.answer();
  batcher.close();
});

it('gathers items only for a moment', async () => {
  const { sends, batcher } = batching({ gather: { maxMs: 1, below: 16 } });
  const first = [1, 2].map((item) => batcher.add(item, soon()));
  await tick();
  sends[0]?.answer();
  await Promise.all(first);
  const last = batcher.add(3, soon());
  await vi.waitFor(() => expect(sends).toHaveLength(2));
  sends[1]?.answer();
  await expect(last).resolves.toBe(3);
});

it('starts a send beside a running one only with enough items, or if the running one takes long', async () => {
  const besides = { maxInFlight: 2, beside: { from: 3, afterMs: 60_000 } };
  const { sends, sizes, batcher: patient } = batching(besides);
  const all = [patient.add(1, soon()), tick().then(() => patient.add(2, soon()))];
  await tick();
  all.push(patient.add(3, soon()));
  await tick();
  expect(sizes()).toEqual([1]);
  all.push(patient.add(4, soon()));
  await tick();
  expect(sizes()).toEqual([1, 3]);
  all.push(patient.add(5, soon()));
  for (const each of sends) each.answer();
  await vi.waitFor(() => expect(sizes()).toEqual([1, 3, 1]));
  sends[2]?.answer();
  await Promise.all(all);
  patient.close();

  const hasty = batching({ ...besides, beside: { from: 3, afterMs: 1 } });
  const two = [hasty.batcher.add(6, soon()), tick().then(() => hasty.batcher.add(7, soon()))];
  await vi.waitFor(() => expect(hasty.sizes()).toEqual([1, 1]));
  for (const each of hasty.sends) each.answer();
  await Promise.all(two);
});

it('rejects only the faulty item if a repeatable send throws', async () => {
  const sizes: number[] = [];
  const send = (items: string[]): Promise<string[]> => {
    sizes.push(items.length);
    if (items.includes('bad')) throw new TypeError('it cannot be written');
    return Promise.resolve(items);
  };
  const batcher = new Batcher({ ...generous, repeatable: true, send });
  const items = Array.from({ length: 64 }, (_, at) => (at === 41 ? 'bad' : `good-${at}`));
  const outcomes = await Promise.allSettled(items.map((item) => batcher.add(item, soon())));
  const expected = items.map((item) => (item === 'bad' ? 'rejected' : 'fulfilled'));
  expect(outcomes.map(({ status }) => status)).toEqual(expected);
  expect(sizes.length).toBeLessThanOrEqual(13);
  await tick();
  expect(batcher).toMatchObject({ waiting: 0, inFlight: 0 });
});

it('does not repeat a send after an outage, or if sends are not repeatable', async () => {
  const outage = new KnowledgeError('unavailable', 'It does not answer.');
  for (const [repeatable, error] of [
    [true, outage],
    [false, new TypeError('unknown')],
  ] as const) {
    const { sends, batcher } = batching({ repeatable });
    const all = [1, 2, 3].map((item) => batcher.add(item, soon()).catch((failure: unknown) => failure));
    await tick();
    sends[0]?.fail(error);
    expect(await Promise.all(all)).toEqual([error, error, error]);
    expect(sends).toHaveLength(1);
  }
});

it('runs at most maxInFlight sends at the same time', async () => {
  const { sends, batcher } = batching({ maxInFlight: 2 });
  for (const item of [1, 2, 3]) {
    batcher.add(item, soon()).catch(() => undefined);
    await tick();
  }
  expect(sends.map((each) => each.items)).toEqual([[1], [2]]);
  expect(batcher).toMatchObject({ waiting: 1, inFlight: 2 });
  batcher.close();
});

it('gives each item its own result or its own error', async () => {
  const { sends, batcher } = batching<string>();
  const all = Promise.allSettled(['a', 'b', 'c'].map((item) => batcher.add(item, soon())));
  await tick();
  sends[0]?.answer(['A', new Error('no b'), 'C']);
  expect(await all).toMatchObject([{ value: 'A' }, { reason: { message: 'no b' } }, { value: 'C' }]);
});

it('fails only the items of a send that fails', async () => {
  const { sends, batcher } = batching({ maxItems: 1, maxInFlight: 2 });
  const all = Promise.allSettled([batcher.add(1, soon()), batcher.add(2, soon())]);
  await tick();
  sends[0]?.fail(new Error('lost'));
  sends[1]?.answer();
  expect(await all).toMatchObject([{ reason: { message: 'lost' } }, { value: 2 }]);
});

it('rejects the items if a send throws synchronously or returns the wrong number of results', async () => {
  let calls = 0;
  const send = (items: number[]) => {
    if (++calls === 1) throw new Error('sync');
    return Promise.resolve([...items, 0]);
  };
  const batcher = new Batcher<number, number>({ ...generous, send });
  await expect(batcher.add(1, soon())).rejects.toThrow('sync');
  await expect(batcher.add(1, soon())).rejects.toMatchObject({ code: 'internal_error' });
});

it('rejects each item at its own deadline, whether it was sent or not', async () => {
  const { sends, answered, batcher } = batching();
  const begun = Date.now();
  const sent = batcher.add(1, { deadline: begun + 30 });
  await tick();
  const queued = batcher.add(2, { deadline: begun + 60 });
  const patient = batcher.add(3, soon());
  await expect(sent).rejects.toMatchObject({ code: 'unavailable' });
  await expect(queued).rejects.toMatchObject({ code: 'unavailable' });
  const took = Date.now() - begun;
  expect(took).toBeGreaterThanOrEqual(59);
  expect(took).toBeLessThan(500);
  await answered(0);
  expect(sends[1]?.items).toEqual([3]);
  sends[1]?.answer();
  await expect(patient).resolves.toBe(3);
});

it('drops an item whose signal aborts, and aborts the send when no caller is left', async () => {
  const { sends, batcher } = batching();
  const controllers = [new AbortController(), new AbortController()] as const;
  const waiters = controllers.map(({ signal }, at) => batcher.add(at, { ...soon(), signal }));
  await tick();
  const signal = sends[0]?.context.signal;
  controllers[0].abort();
  await expect(waiters[0]).rejects.toMatchObject({ code: 'unavailable' });
  expect(signal?.aborted).toBe(false);
  controllers[1].abort();
  await expect(waiters[1]).rejects.toMatchObject({ code: 'unavailable' });
  expect(signal?.aborted).toBe(true);
  const late = batcher.add(9, { ...soon(), signal: AbortSignal.abort() });
  await expect(late).rejects.toMatchObject({ code: 'unavailable' });
});

it('does not abort a send that has returned', async () => {
  const { sends, batcher } = batching();
  const waiter = batcher.add(1, soon());
  await tick();
  const signal = sends[0]?.context.signal;
  sends[0]?.answer();
  await waiter;
  expect(signal?.aborted).toBe(false);
});

it('gives a send the latest deadline among its items', async () => {
  const { sends, batcher } = batching();
  const late = deadlineIn(9000);
  for (const deadline of [deadlineIn(5000), late, deadlineIn(100)]) {
    batcher.add(1, { deadline }).catch(() => undefined);
  }
  await tick();
  expect(sends[0]?.context.deadline).toBe(late);
  sends[0]?.answer();
});

it('rejects an item at once if its deadline has passed, its signal has aborted or the queue is full', async () => {
  const { batcher } = batching({ maxWaiting: 1 });
  await expect(batcher.add(0, { deadline: Date.now() })).rejects.toMatchObject({ code: 'unavailable' });
  const sent = batcher.add(1, soon());
  await tick();
  const queued = batcher.add(2, soon());
  await expect(batcher.add(3, soon())).rejects.toMatchObject({ code: 'unavailable' });
  batcher.close();
  await expect(queued).rejects.toMatchObject({ code: 'unavailable' });
  await expect(batcher.add(4, soon())).rejects.toMatchObject({ code: 'unavailable' });
  sent.catch(() => undefined);
});

it('leaves no timer running', async () => {
  vi.useFakeTimers();
  const { batcher } = batching({ send: (items) => Promise.resolve(items) });
  await batcher.add(1, { deadline: Date.now() + 1000 });
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1010);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('keeps order and limits, and settles every item, for random input', async () => {
  const options = fc.record({
    maxItems: fc.integer({ min: 1, max: 5 }),
    maxWeight: fc.integer({ min: 1, max: 20 }),
    maxInFlight: fc.integer({ min: 1, max: 3 }),
  });
  const arrivals = fc.array(fc.record({ size: fc.nat(30), pause: fc.boolean() }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(options, arrivals, fc.boolean(), async ({ maxWeight, ...caps }, items, wait) => {
      const batches: { id: number; size: number }[][] = [];
      let onTheirWay = 0;
      const send: BatcherOptions<{ id: number; size: number }, number>['send'] = async (batch) => {
        batches.push(batch);
        onTheirWay++;
        expect(onTheirWay).toBeLessThanOrEqual(caps.maxInFlight);
        await (wait ? tick() : Promise.resolve());
        onTheirWay--;
        return batch.map(({ id }) => id);
      };
      const batcher = new Batcher({ ...caps, weight: { max: maxWeight, of: ({ size }) => size }, send });
      const results: Promise<number>[] = [];
      for (const [id, { size, pause }] of items.entries()) {
        results.push(batcher.add({ id, size }, soon()));
        if (pause) await Promise.resolve();
      }
      expect(await Promise.all(results)).toEqual(items.map((_, id) => id));
      expect(batches.flat().map(({ id }) => id)).toEqual(items.map((_, id) => id));
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(caps.maxItems);
        const weight = batch.reduce((sum, { size }) => sum + size, 0);
        expect(batch.length === 1 || weight <= maxWeight).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});
