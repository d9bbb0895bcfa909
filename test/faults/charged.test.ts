import { findMongodBinary } from '@knowledge/local/mongod';
import { type Allowance, Policy, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { afterAll, describe, expect, test } from 'vitest';
import { freshEmail, sendJson } from '../harness/agent.js';
import { bearer, call, freshReader, type HttpResponse } from '../harness/http.js';
import { openLeases } from '../harness/leases.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { startReplicaSet } from '../harness/replica-set.js';
import { asTester } from '../harness/system.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { until } from '../harness/until.js';

type Reader = Record<string, string>;

const limit = 3;
const minute = 60_000;
/** The TCP proxies between each gateway and the quota service. */
const proxies: TcpProxy[] = [];
/** The number of articles that each reader received during all faults. At the end the charges must equal it. */
const received = new Map<Reader, number>();

const binary = await findMongodBinary({ env: process.env, log: () => undefined });
const mongod = await startReplicaSet(1, { binary });
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.close()));
  await mongod.stop();
});
const system = await ownSystem({
  gateways: 3,
  mongodbUri: mongod.uri,
  quotaOfGateway: async (at, address) => {
    const proxy = await startTcpProxy(address);
    proxies[at] = proxy;
    return proxy.address;
  },
});
await seedReading(system);

async function read(reader: Reader, gateway = 0): Promise<HttpResponse | undefined> {
  const url = `${system.gateways[gateway]}/api/v1/content/field-note-1?site=org`;
  const answer = await call(url, { headers: reader }).catch(() => undefined);
  received.set(reader, (received.get(reader) ?? 0) + (answer?.status === 200 ? 1 : 0));
  return answer;
}

const statuses = (answers: readonly (HttpResponse | undefined)[]) => answers.map((answer) => answer?.status);

/** The number of reads left that the API reports. Waits until the API responds. */
function left(reader: Reader): Promise<number> {
  return until('the quota to answer', async () => {
    const { status, json } = await call(`${system.url}/api/v1/agent/quota`, { headers: reader });
    return status === 200 ? [json.quota.remaining as number] : undefined;
  }).then(([remaining]) => remaining as number);
}

/**
 * Pauses a process or database while `work` runs. When it continues, it receives everything that was
 * sent meanwhile.
 */
async function whileStopped(pid: number, work: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

describe('a request that got a 503 is not charged', () => {
  test('reads that a paused quota service receives when it continues are not counted', async () => {
    const reader = freshReader();
    expect((await read(reader))?.status).toBe(200);
    await whileStopped(system.processes['quota']?.pid ?? 0, async () => {
      expect(statuses(await Promise.all([read(reader), read(reader)]))).toEqual([503, 503]);
    });
    expect(await left(reader)).toBe(limit - 1);
  });

  test('writes that a paused database receives when it continues change nothing', async () => {
    const [known, fresh] = [freshReader(), freshReader()];
    expect((await read(known))?.status).toBe(200);
    await whileStopped(mongod.members[0]?.pid ?? 0, async () => {
      expect(statuses(await Promise.all([read(known), read(known), read(fresh)]))).toEqual([503, 503, 503]);
    });
    expect(await left(known)).toBe(limit - 1);
    expect(await left(fresh)).toBe(limit);
  });

  test('reads whose response is lost inside the system are counted and then given back', async () => {
    const reader = freshReader();
    expect((await read(reader))?.status).toBe(200);
    proxies[0]?.stallAnswers();
    const lost = [read(reader), read(reader)];
    await until('both to be counted', async () => (await leftByQuota(reader)) === 0);
    expect(statuses(await Promise.all(lost))).toEqual([503, 503]);
    proxies[0]?.reset();
  });

  test('reads whose response is cut off are retried while others continue', async () => {
    const readers = Array.from({ length: 20 }, freshReader);
    const all = readers.map(async (reader, at) => {
      for (let each = 0; each < limit; each += 1) {
        if (at === 0) proxies[0]?.reset();
        await read(reader);
      }
    });
    await Promise.all(all);
  });

  test('a gateway is killed before it has the response', async () => {
    // Only two calls to the quota service run at the same time. Others would wait in the gateway.
    const readers = Array.from({ length: 2 }, freshReader);
    proxies[1]?.stallAnswers();
    const cut = readers.map((reader) => read(reader, 1));
    await until('all to be counted', async () => {
      return (await Promise.all(readers.map(leftByQuota))).every((remaining) => remaining === limit - 1);
    });
    await system.processes['gateway-2']?.kill('SIGKILL');
    expect(statuses(await Promise.all(cut))).toEqual(readers.map(() => undefined));
  });

  test('a gateway is killed exactly when its readers have their responses', async () => {
    for (const readers of [1, 40]) {
      const answers = await Promise.all(Array.from({ length: readers }, () => read(freshReader(), 2)));
      await system.processes['gateway-3']?.kill('SIGKILL');
      expect(new Set(statuses(answers))).toEqual(new Set([200]));
      await system.processes['gateway-3']?.restart();
    }
  });

  test('a contribution and an authorization got a 503', async () => {
    const [writer, asker] = [freshEmail(), freshEmail()];
    const token = await system.issueToken(writer);
    const contribution = { type: 'inquiry', body: 'How did you roll this out?' };
    const write = () => sendJson('POST', `${system.url}/api/v1/contributions`, contribution, bearer(token));
    const ask = () => sendJson('POST', `${system.url}/api/v1/agent/authorize`, { email: asker, agent_name: 'Atlas' });
    await whileStopped(system.processes['quota']?.pid ?? 0, async () => {
      expect(statuses(await Promise.all([write(), ask()]))).toEqual([503, 503]);
    });
    await until('both to be free', async () => {
      const remaining = await Promise.all([
        leftOf(writer, Policy.CONTRIBUTE_MAILBOX),
        leftOf(asker, Policy.AUTHORIZE_MAILBOX),
      ]);
      return remaining[0] === 20 && remaining[1] === 5;
    });
    expect(statuses([await write(), await ask()])).toEqual([201, 202]);
    expect(await leftOf(writer, Policy.CONTRIBUTE_MAILBOX)).toBe(19);
    expect(await leftOf(asker, Policy.AUTHORIZE_MAILBOX)).toBe(4);
    await keepCheck(writer, Policy.CONTRIBUTE_MAILBOX);
    await keepCheck(asker, Policy.AUTHORIZE_MAILBOX);
  });

  test('within a minute each reader is charged exactly for the received articles, and this stays so', async () => {
    await until('every lease to be settled or given back', async () => (await openLeases(system)) === 0, minute, 1_000);
    const entries = [...received].map(async ([reader, count]) => ({ count, used: limit - (await left(reader)) }));
    expect((await Promise.all(entries)).filter(({ count, used }) => used !== count)).toEqual([]);
    for (const check of kept) await check();
  });
});

const kept: (() => Promise<void>)[] = [];

/** The last test checks that the allowance is still the same, or that a new window began meanwhile. */
async function keepCheck(email: string, policy: Policy): Promise<void> {
  const before = await allowanceOf(email, policy);
  kept.push(async () => {
    const after = await allowanceOf(email, policy);
    if (Number(after?.resetAt) === Number(before?.resetAt)) expect(after).toEqual(before);
  });
}

/** Reads the number of reads left from the quota service itself. */
async function leftByQuota(reader: Reader): Promise<number | undefined> {
  const subject = { kind: SubjectKind.CLIENT_ID, value: reader['x-agent-client-id'] ?? '' };
  const { allowances } = await system.clients.quotaAdmin.showSubject({ subject, reason: 'test' }, asTester());
  return allowances.find(({ policy }) => policy === Policy.READ_CLIENT_ID)?.remaining;
}

async function leftOf(email: string, policy: Policy): Promise<number | undefined> {
  return (await allowanceOf(email, policy))?.remaining;
}

async function allowanceOf(email: string, policy: Policy): Promise<Allowance | undefined> {
  const subject = { kind: SubjectKind.EMAIL, value: email };
  const { allowances } = await system.clients.quotaAdmin.showSubject({ subject, reason: 'test' }, asTester());
  return allowances.find((each) => each.policy === policy);
}
