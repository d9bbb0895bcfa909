import type { Db, Document, RunCommandOptions } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import { type ItemResult, RefusalCache } from '../domain/decision.js';
import { consumeOne, granted as grantedUntil, itemOf, midnight, openTestQuotas, readOf } from '../testing/quotas.js';
import { NewSubjects } from './new-subjects.js';
import { createPipelineCommit, type PipelineCommit } from './pipeline-commit.js';
import { type CounterDocument, countersName, type LeaseDocument, toLease } from './schema.js';

const today = midnight - 43_200_000;

/** The commands that the commit under test sent. */
let sent: string[];
let commit: PipelineCommit;
let now = today;
let meanwhile: (() => Promise<unknown>) | undefined;

const quotas = await openTestQuotas('quota_tallies');
/** Another process on the same database. */
const other = quotas.open({ now: () => today });
beforeEach(() => {
  sent = [];
  now = today;
  meanwhile = undefined;
  const lastMoment = (deadline: number) => new Date(deadline + 20);
  const using = { db: recorded(quotas.db), memory: new RefusalCache(), now: () => now, lastMoment };
  commit = createPipelineCommit({ ...using, newcomers: new NewSubjects(() => now) });
});

const run = (...items: ConsumeItem[]): Promise<ItemResult[]> => commit(items, AbortSignal.timeout(10_000));
const granted = (remaining: number, resetAt = midnight) => grantedUntil(remaining, resetAt);
const read = (client: string, id?: string): ConsumeItem => itemOf([readOf(other, client)], id);
const stored = (client: string) => quotas.counter(readOf(other, client));

it('new and known subjects are one command; nothing is read back', async () => {
  expect(await run(read('a', '1'), read('b', '2'))).toMatchObject([granted(2), granted(2)]);
  expect(await run(read('a', '3'), read('b', '4'), read('a', '5'))).toMatchObject([granted(1), granted(1), granted(0)]);
  expect(await run(read('c'), read('b', '6'))).toMatchObject([granted(2), granted(0)]);
  expect(sent).toEqual(['update', 'update', 'update']);
  expect((await stored('a'))?.grants).toEqual(['1', '3', '5']);
  expect((await stored('b'))?.grants).toEqual(['2', '4', '6']);
});

describe('the lease of a commit', () => {
  const lease = toLease({ id: 'tallies', turn: 1 }, [{ id: 'l1', keys: [] }], Date.now());
  const leases = [lease];
  const openTurn = () => quotas.db.collection<LeaseDocument>(countersName).findOne({ _id: lease._id });

  it('is opened by the command that counts, also for a single item', async () => {
    expect(await commit([read('leased', 'l1')], AbortSignal.timeout(10_000), leases)).toMatchObject([granted(2)]);
    expect(await openTurn()).toMatchObject({ turn: 1, open: true, units: [{ id: 'l1' }] });
    expect(sent).toEqual(['update']);
  });

  it('that is open already changes nothing, and the items are counted', async () => {
    const items = [read('leased', 'l1'), read('leased-2', 'l2')];
    const again = [toLease({ id: 'tallies-2', turn: 1 }, [], Date.now()), lease];
    expect(await commit(items, AbortSignal.timeout(10_000), again)).toMatchObject([granted(2), granted(2)]);
    expect((await stored('leased'))?.grants).toEqual(['l1']);
  });
});

it('a subject without room for all its items is decided by pipeline, in the order of the items', async () => {
  await run(read('full', '1'), read('roomy'));
  const items = [read('full', '2'), read('full', '3'), read('full', '4'), read('roomy')];
  expect(await run(...items)).toMatchObject([granted(1), granted(0), { granted: false }, granted(1)]);
  expect((await stored('full'))?.grants).toEqual(['1', '2', '3']);
});

it('an id that is twice in a batch counts once', async () => {
  await run(read('twice', '1'), read('other'));
  const again = read('twice', '2');
  expect(await run(again, again, read('other'))).toMatchObject([granted(1), granted(1), granted(1)]);
  expect((await stored('twice'))?.grants).toEqual(['1', '2']);
});

describe('a tally that is no longer right', () => {
  const pair = (...ids: [string, string]): ConsumeItem[] => ids.map((id, at) => read(`pair-${at}`, id));

  beforeEach(async () => {
    await quotas.db.collection(countersName).deleteMany({});
    await run(...pair('x', 'y'));
  });

  it('because another process counted: both counts stay', async () => {
    meanwhile = () => consumeOne(other, read('pair-0', 'theirs'));
    expect(await run(...pair('1', '2'))).toMatchObject([granted(0), granted(1)]);
    expect((await stored('pair-0'))?.grants).toEqual(['x', 'theirs', '1']);
    expect((await stored('pair-1'))?.grants).toEqual(['y', '2']);
  });

  it('because another process used up the subject: refused', async () => {
    meanwhile = () => Promise.all(['a', 'b'].map((id) => consumeOne(other, read('pair-0', id))));
    expect(await run(...pair('1', '2'))).toMatchObject([{ granted: false }, granted(1)]);
  });

  it('because the same id was counted elsewhere and another was given back: counted once', async () => {
    meanwhile = async () => {
      await consumeOne(other, read('pair-0', '1'));
      const lease = { id: 'pair', turn: 1, settlesEarlier: false };
      const unit = { id: 'x', keys: [readOf(other, 'pair-0').key] };
      await other.leases.open(lease, [unit], AbortSignal.timeout(5000));
      await other.leases.giveBack(lease, AbortSignal.timeout(5000));
    };
    expect(await run(...pair('1', '2'))).toMatchObject([granted(2), granted(1)]);
    expect((await stored('pair-0'))?.grants).toEqual(['1']);
  });

  it('because support reset the subject, or the document was deleted: counted from zero', async () => {
    meanwhile = async () => {
      await other.store.reset([readOf(other, 'pair-0').key], AbortSignal.timeout(5000));
      await quotas.db.collection<CounterDocument>(countersName).deleteOne({ _id: readOf(other, 'pair-1').key });
    };
    expect(await run(...pair('1', '2'))).toMatchObject([granted(2), granted(2)]);
  });

  it('because midnight passed: counted in the new day', async () => {
    now += 86_400_000;
    const resetAt = midnight + 86_400_000;
    expect(await run(...pair('1', '2'))).toMatchObject([granted(2, resetAt), granted(2, resetAt)]);
    now = today;
    // A clock that is behind counts in the newer day too.
    expect(await run(...pair('3', '4'))).toMatchObject([granted(1, resetAt), granted(1, resetAt)]);
  });

  it('does not change what the other subjects of the batch get', async () => {
    for (const id of ['1', '2', '3']) await consumeOne(other, read('used', id));
    const newcomers = new NewSubjects(() => today);
    for (const client of ['deleted', 'used']) newcomers.markStored(readOf(other, client).key);
    newcomers.markTally(readOf(other, 'pair-0').key, { window: today - 43_200_000, count: 2 });
    const mixed = createPipelineCommit({ db: quotas.db, memory: new RefusalCache(), now: () => today, newcomers });
    const items = [read('pair-0'), read('deleted'), read('used')];
    expect(await mixed(items, AbortSignal.timeout(10_000))).toMatchObject([granted(1), granted(2), { granted: false }]);
  });

  it('is not used after the end of its caller by the clock of the database', async () => {
    const lastMoment = () => new Date(Date.now() - 1);
    const newcomers = new NewSubjects(() => today);
    const using = { db: quotas.db, memory: new RefusalCache(), now: () => today, lastMoment };
    const late = createPipelineCommit({ ...using, newcomers });
    for (const at of [0, 1])
      newcomers.markTally(readOf(other, `pair-${at}`).key, { window: today - 43_200_000, count: 1 });
    const items = pair('1', '2').map((item) => ({ ...item, deadline: Date.now() + 300 }));
    const undecided = { code: 'unavailable' };
    expect(await late(items, AbortSignal.timeout(10_000))).toMatchObject([undecided, undecided]);
    expect((await stored('pair-0'))?.grants).toEqual(['x']);
  });
});

/** The test database. It records commands, and runs `meanwhile` once, right before the first one. */
function recorded(db: Db): Db {
  return new Proxy(db, {
    get(target, property) {
      if (property !== 'command') return Reflect.get(target, property);
      return async (document: Document, options?: RunCommandOptions) => {
        sent.push(Object.keys(document)[0] as string);
        const happens = meanwhile;
        meanwhile = undefined;
        await happens?.();
        return target.command(document, options);
      };
    },
  });
}
