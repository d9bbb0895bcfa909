import { randomUUID } from 'node:crypto';
import {
  HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@knowledge/proto/grpc/health/v1/health';
import { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { Policy, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { WatchSubjectsResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { type Closable, closeAll } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { openTestDatabase, quietEnvironment } from '@knowledge/runtime/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { start } from './service.js';
import { countersName } from './store/schema.js';
import {
  addressCap,
  callOf,
  clientRead,
  connectTestClients,
  mailboxRead,
  summary,
  type TestClients,
  wireItem,
} from './testing/clients.js';
import { midnight } from './testing/quotas.js';

const call = { requestId: 'test', actor: 'support' };
const invalid = { code: 'validation_error' };
const opened: Closable[] = [];
let now = midnight - 43_200_000;

const mongo = openTestDatabase('quota_service');
opened.push(mongo);
const counters = () => mongo.db.collection(countersName).countDocuments();
const env = { ...quietEnvironment(mongo.db), QUOTA_ANONYMOUS_PER_ADDRESS: '4' };
const open = async (): Promise<TestClients> => {
  const service = await start(env, () => new Date(now));
  opened.push(service);
  await service.ready;
  const clients = await connectTestClients(service.address);
  opened.push(clients);
  await vi.waitFor(async () => expect(await readinessOf(service.address)).toBe(ServingStatus.SERVING), 5000);
  return clients;
};
const here = await open();
const elsewhere = await open();
afterAll(() => closeAll(opened));

async function consume(clients: TestClients, ...items: ReturnType<typeof wireItem>[]): Promise<string[]> {
  return (await clients.quota.consume(callOf(...items), call)).results.map(summary);
}

/** What the log has by now. */
async function eventsOf(part: Partial<WatchFilter>): Promise<WatchSubjectsResponse[]> {
  const filter = WatchFilter.fromPartial({ until: new Date(now + 1), ...part } as object);
  return here.admin.watchSubjects({ afterCursor: '0', filter }, call).toArray();
}

describe('Consume', () => {
  it('responds to each item in order, with the allowance after the decision', async () => {
    const { results } = await here.quota.consume(
      callOf(wireItem('1', clientRead('place')), wireItem('2', mailboxRead('Place+x@Example.org'))),
      call,
    );
    expect(results).toMatchObject([
      { outcome: { $case: 'granted', value: { policy: Policy.READ_CLIENT_ID, limit: 3, remaining: 2 } } },
      { outcome: { $case: 'granted', value: { policy: Policy.READ_VERIFIED_EMAIL, limit: 10, remaining: 9 } } },
    ]);
    expect(results[0]?.outcome).toMatchObject({ value: { resetAt: new Date(midnight) } });
    expect(await consume(here, wireItem('3', mailboxRead('place@example.ORG')))).toEqual(['granted 8']);
  });

  it('decides valid items next to malformed ones', async () => {
    const good = clientRead('neighbour');
    const wrongKind = { policy: Policy.READ_CLIENT_ID, subject: { kind: SubjectKind.EMAIL, value: 'a@b.org' } };
    const malformed = [
      ...[wireItem('', good), wireItem('x'.repeat(65), good), wireItem('none')],
      ...[wireItem('six', good, ...['b', 'c', 'd', 'e', 'f'].map(clientRead)), wireItem('twice', good, good)],
      ...[wireItem('kind', wrongKind), wireItem('policy', { ...good, policy: Policy.UNSPECIFIED })],
      wireItem('subject', { ...good, subject: undefined }),
      wireItem('unkind', { ...good, subject: { kind: SubjectKind.UNSPECIFIED, value: 'a' } }),
      ...[wireItem('empty', clientRead('')), wireItem('long', clientRead('x'.repeat(255)))],
      ...[wireItem('address', good, addressCap('not an address')), wireItem('mailbox', mailboxRead('nobody'))],
    ];
    const items = malformed.flatMap((item, at) => [item, wireItem(`good-${at}`, clientRead(`neighbour-${at}`))]);
    const answers = (await consume(here, ...items)).map((answer, at) => [items[at]?.id, answer]);
    expect(answers).toEqual(items.map(({ id }, at) => [id, at % 2 === 0 ? 'validation_error' : 'granted 2']));
    expect(await consume(here, wireItem('now', good))).toEqual(['granted 2']);
  });

  it('accepts up to 1,024 items', async () => {
    const items = Array.from({ length: 1024 }, (_, at) => wireItem(randomUUID(), clientRead(`load-${at % 512}`)));
    const answers = await consume(here, ...items);
    expect(new Set(answers)).toEqual(new Set(['granted 2', 'granted 1']));
    await expect(consume(here, ...items, wireItem('more', clientRead('more')))).rejects.toMatchObject(invalid);
    expect(await consume(here)).toEqual([]);
  });

  it('does not charge an item whose caller stopped waiting', async () => {
    const late = { ...wireItem('late', clientRead('late')) };
    late.context = { requestId: 'r', traceparent: '', timeout: { seconds: 0, nanos: 0 } };
    expect(await consume(here, late, wireItem('in time', clientRead('late')))).toEqual(['unavailable', 'granted 2']);
  });

  it('refuses above the ceiling of the networks around an IPv6 address, which have more room', async () => {
    const take = (network: string) =>
      consume(here, wireItem(randomUUID(), clientRead(randomUUID()), addressCap(`2001:db8:9:${network}::1`)));
    const granted = async (networks: readonly string[]) => {
      const results = [];
      for (const each of networks) results.push(...(await take(each)));
      return results.filter((result) => result === 'granted 2').length;
    };
    const in56 = (at: number) => Array.from({ length: 20 }, (_, host) => ((at << 8) + host + 1).toString(16));
    expect(await granted(in56(0))).toBe(16);
    expect(await granted([...in56(1), ...in56(2), ...in56(3), ...in56(4)])).toBe(48);
    const own = { ...addressCap('2001:db8:9:1::1'), policy: Policy.READ_ADDRESS_CAP };
    const { allowances } = await here.quota.peek({ charges: [own] }, call);
    expect(allowances).toMatchObject([{ remaining: 0 }]);
  });
});

describe('Peek', () => {
  it('returns the allowance without a charge, and writes nothing', async () => {
    const before = await counters();
    const charges = [
      clientRead('peek'),
      addressCap('192.0.2.1'),
      { ...addressCap('192.0.2.1'), policy: Policy.AUTHORIZE_ADDRESS },
    ];
    const { allowances } = await here.quota.peek({ charges }, call);
    expect(allowances).toEqual([
      { policy: Policy.READ_CLIENT_ID, limit: 3, remaining: 3, resetAt: new Date(midnight) },
      { policy: Policy.READ_ADDRESS_CAP, limit: 4, remaining: 4, resetAt: new Date(midnight) },
      { policy: Policy.AUTHORIZE_ADDRESS, limit: 0, remaining: 0, resetAt: new Date(midnight - 39_600_000) },
    ]);
    expect(await counters()).toBe(before);
    await consume(here, wireItem('1', clientRead('peek')));
    const again = await elsewhere.quota.peek({ charges: charges.slice(0, 1) }, call);
    expect(again.allowances).toMatchObject([{ remaining: 2 }]);
  });

  it('refuses malformed charges, and more than 16 charges', async () => {
    await expect(here.quota.peek({ charges: [clientRead('')] }, call)).rejects.toMatchObject(invalid);
    const many = Array.from({ length: 17 }, () => clientRead('a'));
    await expect(here.quota.peek({ charges: many }, call)).rejects.toMatchObject(invalid);
    expect((await here.quota.peek({ charges: [] }, call)).allowances).toEqual([]);
  });
});

describe('support', () => {
  const subject = { kind: SubjectKind.EMAIL, value: 'Reset+me@example.org' };

  it('sees all allowances of a subject', async () => {
    await consume(here, wireItem('s1', mailboxRead('reset@example.org')));
    const { allowances } = await here.admin.showSubject({ subject }, call);
    expect(allowances.map(({ policy, limit, remaining }) => `${policy} ${remaining}/${limit}`)).toEqual([
      ...['POLICY_READ_VERIFIED_EMAIL 9/10', 'POLICY_CONTRIBUTE_MAILBOX 20/20', 'POLICY_AUTHORIZE_MAILBOX 5/5'],
      ...['POLICY_AUTHORIZE_MAILBOX_DAY 20/20', 'POLICY_LINK_MAILBOX 5/5', 'POLICY_LINK_MAILBOX_DAY 20/20'],
    ]);
  });

  it('resets them repeatedly; the reset is visible here at once and in other processes within 5 s', async () => {
    const used = Array.from({ length: 12 }, (_, at) => wireItem(`r${at}`, mailboxRead('reset@example.org')));
    expect((await consume(here, ...used)).at(-1)).toBe('refused 0');
    expect(await consume(elsewhere, wireItem('e', mailboxRead('reset@example.org')))).toEqual(['refused 0']);

    for (let time = 1; time <= 2; time++) {
      const { allowances } = await here.admin.resetSubject({ subject }, call);
      expect(allowances.map(({ remaining }) => remaining)).toEqual([10, 20, 5, 20, 5, 20]);
    }
    expect(await consume(here, wireItem('after', mailboxRead('reset@example.org')))).toEqual(['granted 9']);
    // The other process caches for 5 s that nothing was left, and also the earlier grant.
    expect(await consume(elsewhere, wireItem('e2', mailboxRead('reset@example.org')))).toEqual(['refused 0']);
    expect(await consume(elsewhere, wireItem('r0', mailboxRead('reset@example.org')))).toEqual(['granted 8']);
    now += 5000;
    expect(await consume(elsewhere, wireItem('e3', mailboxRead('reset@example.org')))).toEqual(['granted 8']);
  });

  it('stores every look and reset with a hash of the subject', async () => {
    const value = 'traced@example.org';
    const traced = { kind: SubjectKind.EMAIL, value };
    const sam = { ...call, actor: 'sam' };
    await here.admin.showSubject({ subject: traced, reason: 'asked by phone' }, sam);
    await elsewhere.admin.resetSubject({ subject: traced, reason: 'ticket 7' }, sam);
    const person = 'Traced@example.org';
    const events = await eventsOf({ person, audit: true });
    expect((await eventsOf({ person })).map(({ transition }) => transition?.toState)).toEqual(['reset']);
    expect(events.map(({ transition: t }) => `${t?.toState} by ${t?.actor}: ${t?.reason}`)).toEqual([
      'viewed by sam: asked by phone',
      'reset by sam: ticket 7',
    ]);
    expect(events[0]).toMatchObject({ subject: 'email', id: events[1]?.id });
    expect(JSON.stringify(events)).not.toContain('traced');
  });

  it('must name an actor and a subject for a change', async () => {
    const nobody = { requestId: 'test' };
    await expect(here.admin.resetSubject({ subject }, nobody)).rejects.toMatchObject(invalid);
    await expect(here.admin.resetSubject({ subject: undefined }, call)).rejects.toMatchObject(invalid);
    const nowhere = { kind: SubjectKind.ADDRESS, value: 'x' };
    await expect(here.admin.showSubject({ subject: nowhere }, call)).rejects.toMatchObject(invalid);
  });
});

it('an unreachable database is an outage and never a refusal, and the service is not ready', async () => {
  const service = await start({ ...env, MONGODB_URI: 'mongodb://127.0.0.1:1/?directConnection=true' });
  const clients = await connectTestClients(service.address);
  opened.push(service, clients);
  const begun = Date.now();
  const items = [wireItem('1', clientRead('a')), wireItem('2', clientRead('b'), addressCap('::1'))];
  await expect(consume(clients, ...items)).rejects.toMatchObject({ code: 'unavailable' });
  expect(Date.now() - begun).toBeLessThan(3000);
  expect(await readinessOf(service.address)).toBe(ServingStatus.NOT_SERVING);
});

async function readinessOf(address: string): Promise<ServingStatus> {
  const health = connectGrpc(HealthService, { address });
  opened.push(health);
  return (await health.check({ service: 'readiness' }, call)).status;
}

const limitOf = async (clients: TestClients, policy: Policy) =>
  (await clients.admin.listLimits({}, call)).limits.find((limit) => limit.policy === policy);

it('the limits that hold are listed, with how many subjects used each up on a day', async () => {
  const reads = ['a', 'b', 'c', 'd'].map((id) => wireItem(`used-up-${id}`, clientRead('used-up')));
  expect(await consume(here, ...reads)).toEqual(['granted 2', 'granted 1', 'granted 0', 'refused 0']);
  const day = new Date(now).toISOString().slice(0, 10);
  await vi.waitFor(async () => {
    const { days = [], ...limit } = (await limitOf(elsewhere, Policy.READ_CLIENT_ID)) ?? {};
    expect(limit).toMatchObject({ kind: SubjectKind.CLIENT_ID, units: 3, windowHours: 24 });
    expect(days.find((each) => each.day === day)?.subjects).toBeGreaterThan(0);
  }, 15_000);
  expect(await limitOf(elsewhere, Policy.READ_ADDRESS_CAP)).toMatchObject({ units: 4 });
  expect(await limitOf(elsewhere, Policy.AUTHORIZE_ADDRESS)).toMatchObject({ units: 0, windowHours: 1, days: [] });
});

describe('a ceiling', () => {
  const policy = Policy.READ_ADDRESS_CAP;
  const reason = 'one address takes everything';
  const ada = { ...call, actor: 'ada' };
  const readAs = (clients: TestClients, id: string) =>
    consume(clients, wireItem(`ceiling-${id}`, clientRead(`ceiling-${id}`), addressCap('192.0.2.77')));

  it('is set by an administrator, holds in every process, and can be restored', async () => {
    for (const id of ['a', 'b', 'c', 'd']) expect(await readAs(here, id)).toEqual(['granted 2']);
    expect(await readAs(here, 'e')).toEqual(['refused 0']);
    const { limit } = await here.admin.setCeiling({ policy, units: 6, reason }, ada);
    expect(limit).toMatchObject({ units: 6, ceiling: { configuredUnits: 4, setBy: 'ada', reason } });
    // A refusal is cached for 5 s.
    now += 5_000;
    expect(await readAs(here, 'f')).toEqual(['granted 2']);
    await vi.waitFor(async () => {
      now += 5_000;
      expect(await readAs(elsewhere, 'g')).toEqual(['granted 2']);
    }, 10_000);
    expect(await readAs(elsewhere, 'h')).toEqual(['refused 0']);
    await here.admin.setCeiling({ policy, units: 0, reason: 'off for a test' }, ada);
    expect(await readAs(here, 'i')).toEqual(['granted 2']);
    const { limit: restored } = await elsewhere.admin.setCeiling({ policy, units: undefined, reason: 'over' }, ada);
    expect(restored).toMatchObject({ units: 4, ceiling: { configuredUnits: 4, setBy: '', reason: '' } });
    expect(await limitOf(here, policy)).toMatchObject({ units: 4, ceiling: { setBy: '', setAt: undefined } });
  });

  it('is in the log with its value before and after; setting it again changes nothing', async () => {
    const set = { policy: Policy.LINK_ADDRESS, units: 10, reason };
    await here.admin.setCeiling(set, ada);
    await elsewhere.admin.setCeiling(set, { ...call, actor: 'bob' });
    expect(await eventsOf({ id: 'link_address' })).toMatchObject([
      { subject: 'ceiling', id: 'link_address', transition: { fromState: 'off', toState: '10', actor: 'ada', reason } },
    ]);
  });

  it.each([
    [{ policy: Policy.READ_CLIENT_ID, units: 9, reason }, 'policy must be read_address_cap'],
    [{ policy: Policy.UNSPECIFIED, units: 9, reason }, 'policy is required'],
    [{ policy, units: -1, reason }, 'units must be from 0 to 1000000000.'],
    [{ policy, units: 1_000_000_001, reason }, 'units must be from 0 to 1000000000.'],
    [{ policy, units: 9, reason: ' ' }, 'reason is required.'],
    [{ policy, units: 9, reason: 'x'.repeat(2_001) }, 'reason must be at most 2000'],
  ])('refuses what nobody may set: %#', async (request, message) => {
    const refused = here.admin.setCeiling(request, ada);
    await expect(refused).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(message) });
  });
});
