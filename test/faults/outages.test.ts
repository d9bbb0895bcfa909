import { describe, expect, test } from 'vitest';
import { articleToPut } from '../harness/articles.js';
import { bearer, call, expectFailure, freshReader } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';

const read = (headers: Record<string, string> = freshReader()) =>
  call(`${system.url}/api/v1/content/field-note-1?site=org`, { headers });
const alwaysThere = [
  '/api/v1/capabilities',
  '/api/v1/agent/changelog',
  '/api/agent',
  '/llms.txt',
  '/robots.txt',
  '/for-agents',
  '/healthz',
];

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const begun = performance.now();
  return [await work(), performance.now() - begun];
}

const system = await ownSystem();
await seedReading(system);
const longRead = articleToPut({ slug: 'long-read', body: 'Some words. '.repeat(200) });
await system.clients.editorial.putArticle(longRead, asTester());

describe.each(['SIGKILL', 'SIGSTOP'] as const)('a service that got %s', (signal) => {
  const down = async (name: string, check: () => Promise<void>): Promise<void> => {
    const service = system.processes[name];
    await service?.kill(signal);
    try {
      await check();
    } finally {
      if (signal === 'SIGKILL') await service?.restart();
      else await service?.kill('SIGCONT');
    }
    await until('reads to be well again within 5 s', async () => (await read()).status === 200, 5_000);
    await until('tokens to be well again', async () => (await read(bearer('bad'))).status === 401, 5_000);
  };

  test('quota: article reads get 503 in the envelope within 3 s and are not counted; listings continue', async () => {
    const reader = freshReader();
    const { json } = await call(`${system.url}/api/v1/content/long-read?site=org&max_tokens=200`, { headers: reader });
    await down('quota', async () => {
      const part = await call(json.other_sections.url.replace('&section=', ''), { headers: reader });
      expect([part.status, part.headers.get('x-ratelimit-limit')]).toEqual([200, null]);
      const [answer, ms] = await timed(() => read(reader));
      expectFailure(answer, 503, 'unavailable');
      expect(ms).toBeLessThan(3_000);
      expect((await call(`${system.url}/api/v1/content`)).status).toBe(200);
    });
    await until('the read to be granted', async () => (await read(reader)).status === 200, 5_000);
    const left = (await call(`${system.url}/api/v1/agent/quota`, { headers: reader })).json.quota.remaining;
    expect(left).toBe(1);
  });

  test('identity: requests with a token get 503, others are served', async () => {
    const token = await system.issueToken(`outage-${signal}@example.org`);
    await down('identity', async () => {
      const [answer, ms] = await timed(() => read(bearer(token)));
      expectFailure(answer, 503, 'unavailable');
      expect(ms).toBeLessThan(3_000);
      expect((await read()).status).toBe(200);
      expectFailure(await call(`${system.url}/api/v1/agent/quota`, { headers: bearer(token) }), 503, 'unavailable');
    });
  });

  test('content: reads and lists get 503 within 3 s, and cached responses soon end', async () => {
    await down('content', async () => {
      await until('held answers to lapse', async () => (await read()).status === 503, 5_000);
      for (const path of ['/api/v1/content', '/api/v1/curated', '/api/v1/objects/catalog']) {
        const [answer, ms] = await timed(() => call(`${system.url}${path}`));
        expectFailure(answer, 503, 'unavailable');
        expect(ms).toBeLessThan(3_000);
      }
    });
  });

  test('contributions: the active prompt gets 503', async () => {
    await down('contributions', async () => {
      expectFailure(await call(`${system.url}/api/v1/prompts/active`), 503, 'unavailable');
      expect((await read()).status).toBe(200);
    });
  });
});

test('static documents get 200 while all services are down', async () => {
  for (const name of ['content', 'quota', 'identity', 'contributions']) await system.processes[name]?.kill('SIGKILL');
  for (const path of alwaysThere) {
    const [answer, ms] = await timed(() => call(`${system.url}${path}`));
    expect([path, answer.status]).toEqual([path, 200]);
    expect(ms).toBeLessThan(1_000);
  }
  for (const name of ['content', 'quota', 'identity', 'contributions']) await system.processes[name]?.restart();
  await until('reads to be well again', async () => (await read()).status === 200, 5_000);
});
