import { findMongodBinary } from '@knowledge/local/mongod';
import { afterAll, describe, expect, test } from 'vitest';
import { clockAhead } from '../harness/clock.js';
import { call, freshReader, type HttpResponse } from '../harness/http.js';
import { openLeases } from '../harness/leases.js';
import { seedReading } from '../harness/reading.js';
import { startReplicaSet } from '../harness/replica-set.js';
import { type System, type SystemOptions, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const limit = 3;

const opened: { close(): Promise<void> }[] = [];
/** What is true of each system when all its leases have ended, for which the tests wait together. */
const checks: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const each of opened.reverse()) await each.close();
});

async function start(options: SystemOptions = {}): Promise<System> {
  const system = await startSystem({ gateways: 2, ...options });
  opened.push(system);
  await seedReading(system);
  return system;
}

function read(system: System, headers: Record<string, string>, gateway: number): Promise<HttpResponse> {
  return call(`${system.gateways[gateway % system.gateways.length]}/api/v1/content/field-note-1?site=org`, { headers });
}

async function usedBy(system: System, headers: Record<string, string>): Promise<number> {
  const { json } = await until('the quota', async () => {
    const answer = await call(`${system.url}/api/v1/agent/quota`, { headers });
    return answer.status === 200 && answer;
  });
  return limit - json.quota.remaining;
}

/** Lets many readers read in parallel until each one is refused. Returns the responses of each reader. */
async function readAll(system: System, readers: number, during: () => Promise<void>): Promise<HttpResponse[][]> {
  const charged: (() => Promise<{ used: number; received: number }>)[] = [];
  const fault = during();
  const all = await Promise.all(
    Array.from({ length: readers }, async (_, at) => {
      const headers = freshReader();
      const answers: HttpResponse[] = [];
      charged.push(async () => {
        const received = answers.filter(({ status }) => status === 200).length;
        return { used: await usedBy(system, headers), received };
      });
      await new Promise((resolve) => setTimeout(resolve, at * 10));
      await until(
        'a reader to be refused',
        async () => {
          answers.push(...(await Promise.all([0, 1, 0, 1, 0].map((each) => read(system, headers, each)))));
          return answers.some(({ status }) => status === 429);
        },
        60_000,
      );
      return answers;
    }),
  );
  await fault;
  checks.push(async () => {
    await leasesEnd(system);
    const all = await Promise.all(charged.map((each) => each()));
    expect(all.filter(({ used, received }) => used !== received)).toEqual([]);
  });
  return all;
}

function leasesEnd(system: System): Promise<boolean> {
  return until('every lease to end', async () => (await openLeases(system)) === 0, 60_000, 1_000);
}

function expectExact(all: HttpResponse[][]): void {
  for (const answers of all) {
    const count = (status: number): number => answers.filter((answer) => answer.status === status).length;
    expect(answers.map(({ status }) => status).filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(count(200)).toBeLessThanOrEqual(limit);
    // A refused reader has used all its reads. Lost reads count until they are given back.
    expect(count(200) + count(503)).toBeGreaterThanOrEqual(limit);
    const lefts = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers.get('x-ratelimit-remaining'));
    expect(new Set(lefts).size).toBe(lefts.length);
  }
}

describe('counting is exact under faults', () => {
  let system: System;
  test('while a quota process is killed twice and 100 readers read', async () => {
    // The next test kills the third gateway. What it owed to a killed quota would die with it, which is allowed.
    system = await start({ gateways: 3 });
    const all = await readAll(system, 100, async () => {
      for (let at = 0; at < 2; at += 1) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        await system.processes['quota']?.kill('SIGKILL');
        await system.processes['quota']?.restart();
      }
    });
    expectExact(all);
    expect(all.flat().some(({ status }) => status === 503)).toBe(true);
  });

  test('when a gateway is killed, no reader gets a fourth article', async () => {
    const readers = Array.from({ length: 40 }, freshReader);
    const granted = new Map<Record<string, string>, number>();
    const work = readers.map(async (headers) => {
      for (let each = 0; each < 12; each += 1) {
        const answer = await read(system, headers, each).catch(() => undefined);
        if (answer?.status === 200) granted.set(headers, (granted.get(headers) ?? 0) + 1);
      }
    });
    await system.processes['gateway-3']?.kill('SIGKILL');
    await Promise.all(work);
    await system.processes['gateway-3']?.restart();
    for (const count of granted.values()) expect(count).toBeLessThanOrEqual(limit);
    checks.push(async () => {
      await leasesEnd(system);
      // Reads whose response was being sent when the gateway died stay charged. A received read is never given back.
      for (const each of readers) expect(await usedBy(system, each)).toBeGreaterThanOrEqual(granted.get(each) ?? 0);
    });
  });

  test('when the primary of a slow replica set of three members is killed', async () => {
    const binary = await findMongodBinary({ env: process.env, log: () => undefined });
    const set = await startReplicaSet(3, { binary, electionTimeoutMillis: 2_000 });
    opened.push({ close: set.stop });
    const all = await readAll(await start({ mongodbUri: set.uri }), 60, async () => {
      const primary = await set.primary();
      const others = set.members.filter((member) => member !== primary);
      await new Promise((resolve) => setTimeout(resolve, 200));
      for (const member of others) process.kill(member.pid, 'SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 400));
      for (const member of others) process.kill(member.pid, 'SIGCONT');
      await primary.kill();
    });
    expectExact(all);
  });

  test('with two quota processes whose clocks are a day behind and a day ahead of the database', async () => {
    const envOf = { quota: clockAhead(-86_400), 'quota-2': clockAhead(86_400) };
    const skewed = await start({ quotas: 2, envOf });
    expectExact(await readAll(skewed, 50, async () => undefined));
    const headers = freshReader();
    for (const gateway of [0, 1]) {
      const reset = Number((await read(skewed, headers, gateway)).headers.get('x-ratelimit-reset'));
      expect(reset * 1000 - Date.now()).toBeLessThanOrEqual(86_400_000);
      expect(reset * 1000 - Date.now()).toBeGreaterThan(-60_000);
    }
  });

  test('when every lease has ended, each reader was charged for what it received, after each of these faults', async () => {
    expect(checks).toHaveLength(4);
    await Promise.all(checks.map((check) => check()));
  });
});
