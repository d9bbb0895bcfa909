import { afterAll, describe, expect, test } from 'vitest';
import { archiveArticle, publishArticle, putArticle } from '../harness/articles.js';
import { call } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { startTcpProxy, type TcpProxy } from '../harness/tcp-proxy.js';
import { until } from '../harness/until.js';

/** After the acknowledged withdrawal, an article may be shown at most this long. */
const goneAfterMs = 100;

let proxy: TcpProxy;
const count = 30;
const slugOf = (at: number) => `withdrawn-${at}`;

afterAll(() => proxy?.close());
const system = await ownSystem({
  gateways: 2,
  contentOfGateway: async (at, address) => {
    if (at === 0) return address;
    proxy = await startTcpProxy(address);
    return proxy.address;
  },
});
for (let at = 0; at < count; at += 1) await putArticle(system, { slug: slugOf(at) });

/** Requests an article, its list and its HEAD on a gateway repeatedly. Returns the responses that were too late. */
async function watch(gateway: string, slug: string, acknowledged: Promise<number>, forMs: number): Promise<string[]> {
  let acknowledgedAt = Number.POSITIVE_INFINITY;
  void acknowledged.then((at) => {
    acknowledgedAt = at;
  });
  const late: string[] = [];
  const look = async (what: string, shows: () => Promise<boolean>): Promise<void> => {
    while (performance.now() < acknowledgedAt + forMs) {
      const begun = performance.now();
      const shown = await shows();
      if (shown && begun > acknowledgedAt + goneAfterMs)
        late.push(`${what} ${Math.round(begun - acknowledgedAt)} ms after`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  await Promise.all([
    look(
      'article',
      async () => (await call(`${gateway}/api/v1/content/${slug}?site=org`, { method: 'HEAD' })).status === 200,
    ),
    look('index', async () => {
      const { json } = await call(`${gateway}/api/v1/content?site=org&limit=200`);
      return json?.entries?.some((entry: { slug: string }) => entry.slug === slug) === true;
    }),
  ]);
  return late;
}

async function withdrawUnderWatch(slug: string, spoil: () => void = () => undefined, forMs = 300): Promise<string[]> {
  await publishArticle(system, slug);
  for (const gateway of system.gateways) {
    const url = `${gateway}/api/v1/content/${slug}?site=org`;
    await until(`${slug} to be shown`, async () => (await call(url, { method: 'HEAD' })).status === 200);
  }
  let acknowledge: (at: number) => void = () => undefined;
  const acknowledged = new Promise<number>((resolve) => {
    acknowledge = resolve;
  });
  const watching = Promise.all(system.gateways.map((gateway) => watch(gateway, slug, acknowledged, forMs)));
  spoil();
  await archiveArticle(system, slug);
  acknowledge(performance.now());
  return (await watching).flat();
}

describe('a withdrawn article is gone from every gateway within 100 ms of the acknowledged write', () => {
  test('without a fault', async () => {
    const late = [];
    for (let at = 0; at < count; at += 1) late.push(...(await withdrawUnderWatch(slugOf(at))));
    expect(late).toEqual([]);
  });

  test('with a change stream that stalls and recovers', async () => {
    for (let at = 0; at < 5; at += 1) {
      const late = await withdrawUnderWatch(slugOf(at), () => proxy.stall(), 1_000);
      proxy.resume();
      expect(late).toEqual([]);
    }
  });

  test('with a change stream that is reset during the read of a list', async () => {
    for (let at = 0; at < 5; at += 1) {
      const resets = setInterval(() => proxy.reset(), 40);
      try {
        expect(await withdrawUnderWatch(slugOf(at), () => proxy.reset(), 600)).toEqual([]);
      } finally {
        clearInterval(resets);
      }
    }
  });

  test('with a slow connection, on which responses and changes overlap', async () => {
    proxy.delay(60);
    try {
      for (let at = 0; at < 5; at += 1) expect(await withdrawUnderWatch(slugOf(at), undefined, 600)).toEqual([]);
    } finally {
      proxy.delay(0);
    }
  });

  test('with the content service killed right after the acknowledgement', async () => {
    const late = await withdrawUnderWatch(slugOf(9), undefined, 200);
    expect(late).toEqual([]);
    await publishArticle(system, slugOf(8));
    const url = `${system.gateways[0]}/api/v1/content/${slugOf(8)}?site=org`;
    await until('it to be shown', async () => (await call(url, { method: 'HEAD' })).status === 200);
    await archiveArticle(system, slugOf(8));
    await system.processes['content']?.kill('SIGKILL');
    const begun = performance.now();
    await new Promise((resolve) => setTimeout(resolve, goneAfterMs));
    while (performance.now() < begun + 1_000)
      expect([404, 503]).toContain((await call(url, { method: 'HEAD' })).status);
    await system.processes['content']?.restart();
    await until('it to be not found', async () => (await call(url, { method: 'HEAD' })).status === 404);
  });
});
