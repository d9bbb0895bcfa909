import { findMongodBinary } from '@knowledge/local/mongod';
import { describe, expect, test } from 'vitest';
import { clockAhead } from '../harness/clock.js';
import { call, freshReader, type HttpResponse } from '../harness/http.js';
import { openLeases } from '../harness/leases.js';
import { seedReading } from '../harness/reading.js';
import { startReplicaSet } from '../harness/replica-set.js';
import { type System, type SystemOptions, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const limit = 3;

async function withSystem(options: SystemOptions, work: (system: System) => Promise<void>): Promise<void> {
  const system = await startSystem(options);
  try {
    await seedReading(system);
    await work(system);
  } finally {
    await system.close();
  }
}

function read(system: System, headers: Record<string, string>, gateway: number): Promise<HttpResponse> {
  return call(`${system.gateways[gateway % system.gateways.length]}/api/v1/content/field-note-1?site=org`, { headers });
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
        const { json } = await call(`${system.url}/api/v1/agent/quota`, { headers });
        const received = answers.filter(({ status }) => status === 200).length;
        return { used: limit - json.quota.remaining, received };
      });
      await new Promise((resolve) => setTimeout(resolve, at * 10));
      await until(
        'a reader to be refused',
        async () => {
          answers.push(...(await Promise.all([0, 1, 2, 3, 4].map((each) => read(system, headers, each)))));
          return answers.some(({ status }) => status === 429);
        },
        60_000,
      );
      return answers;
    }),
  );
  await fault;
  await until('every lease to be settled or given back', async () => (await openLeases(system)) === 0, 60_000, 1_000);
  const inexact = (await Promise.all(charged.map((each) => each()))).filter(({ used, received }) => used !== received);
  expect(inexact).toEqual([]);
  return all;
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
  test('while a quota process is killed twice and 100 readers read', async () => {
    await withSystem({ gateways: 2 }, async (system) => {
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
  });

  test('when a gateway is killed, no reader gets a fourth article', async () => {
    await withSystem({ gateways: 2 }, async (system) => {
      const readers = Array.from({ length: 40 }, freshReader);
      const granted = new Map<number, number>();
      const work = readers.map(async (headers, at) => {
        for (let each = 0; each < 12; each += 1) {
          const answer = await read(system, headers, each).catch(() => undefined);
          if (answer?.status === 200) granted.set(at, (granted.get(at) ?? 0) + 1);
        }
      });
      await system.processes['gateway-2']?.kill('SIGKILL');
      await Promise.all(work);
      await system.processes['gateway-2']?.restart();
      for (const count of granted.values()) expect(count).toBeLessThanOrEqual(limit);
      const used = async (at: number): Promise<number> => {
        const { json } = await call(`${system.url}/api/v1/agent/quota`, { headers: readers[at] ?? {} });
        return limit - json.quota.remaining;
      };
      await until('all leases to end', async () => (await openLeases(system)) === 0, 60_000, 1_000);
      // Reads whose response was being sent when the gateway died stay charged. A received read is never given back.
      for (const at of readers.keys()) expect(await used(at)).toBeGreaterThanOrEqual(granted.get(at) ?? 0);
    });
  });

  test('when the primary of a slow replica set of three members is killed', async () => {
    const binary = await findMongodBinary({ env: process.env, log: () => undefined });
    const set = await startReplicaSet(3, { binary, electionTimeoutMillis: 2_000 });
    try {
      await withSystem({ gateways: 2, mongodbUri: set.uri }, async (system) => {
        const all = await readAll(system, 60, async () => {
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
    } finally {
      await set.stop();
    }
  });

  test('with two quota processes whose clocks are a day behind and a day ahead of the database', async () => {
    const envOf = { quota: clockAhead(-86_400), 'quota-2': clockAhead(86_400) };
    await withSystem({ gateways: 2, quotas: 2, envOf }, async (system) => {
      expectExact(await readAll(system, 50, async () => undefined));
      const headers = freshReader();
      for (const gateway of [0, 1]) {
        const reset = Number((await read(system, headers, gateway)).headers.get('x-ratelimit-reset'));
        expect(reset * 1000 - Date.now()).toBeLessThanOrEqual(86_400_000);
        expect(reset * 1000 - Date.now()).toBeGreaterThan(-60_000);
      }
    });
  });
});
