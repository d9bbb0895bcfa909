import { setTimeout as pause } from 'node:timers/promises';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { articleToPut } from '../harness/articles.js';
import { asTester, type System } from '../harness/system.js';
import { quantile } from './benchmark.js';

/** Measures for how many milliseconds after a withdrawal a gateway still shows the article. */
export async function measureWithdrawal(
  system: System,
  count: number,
): Promise<{ p50: number; p99: number; max: number }> {
  const lasts: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const slug = `withdrawn-${at}`;
    await system.clients.editorial.putArticle(articleToPut({ slug }), asTester());
    const urls = system.gateways.map((gateway) => `${gateway}/api/v1/content/${slug}?site=org`);
    for (const url of urls) while ((await head(url)) !== 200) await pause(5);
    const watching = urls.map(watch);
    await pause(Math.random() * 30);
    const article = { site: Site.ORG, slug, expectedRevision: 0, reason: '' };
    await system.clients.editorial.archiveArticle(article, asTester());
    const acknowledged = performance.now();
    for (const shown of await Promise.all(watching)) lasts.push(Math.max(0, shown - acknowledged));
  }
  return { p50: quantile(lasts, 0.5), p99: quantile(lasts, 0.99), max: quantile(lasts, 1) };
}

/** Polls until the article is gone. Returns the start time of the last request that still got it. */
async function watch(url: string): Promise<number> {
  let last = 0;
  for (;;) {
    const begun = performance.now();
    if ((await head(url)) !== 200) return last;
    last = begun;
  }
}

async function head(url: string): Promise<number> {
  return (await fetch(url, { method: 'HEAD' })).status;
}
