import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { articlePut } from '../testing/put.js';
import { asEditor, type ServedContent, serveContent } from '../testing/serve-content.js';
import { openWatcher } from '../testing/watcher.js';

let served: ServedContent;
beforeAll(async () => {
  served = await serveContent();
});
afterAll(() => served.close());

it('answers no ping before the changes that were acknowledged before it', async () => {
  const { editorial } = served;
  const slugs = Array.from({ length: 20 }, (_, index) => `article-${index}`);
  for (const slug of slugs) await editorial.putArticle(articlePut({ slug, publish: true }), asEditor);
  const watchers = [openWatcher(served), openWatcher(served)];
  await Promise.all(watchers.map(({ started }) => started));

  // Revisions acknowledged so far, by slug: each is one change of its own.
  let acknowledged = 0;
  let done = false;
  const change = async (part: number): Promise<void> => {
    const mine = slugs.filter((_, index) => index % 4 === part);
    for (let step = 0; step < 63; step++) {
      const slug = mine[Math.floor(Math.random() * mine.length)] ?? '';
      const name = { site: Site.ORG, slug, expectedRevision: 0, reason: '' };
      const { article } = await editorial.archiveArticle(name, asEditor);
      const { article: again } = await editorial.publishArticle(name, asEditor);
      expect(again?.entry?.revision).toBe((article?.entry?.revision ?? 0) + 1);
      acknowledged += 2;
    }
  };
  let pongs = 0;
  const ping = async (watcher: (typeof watchers)[number]): Promise<void> => {
    while (!done) {
      const before = acknowledged;
      await watcher.ping();
      expect(watcher.changes.length).toBeGreaterThanOrEqual(before);
      pongs += 1;
    }
  };
  const pinging = watchers.flatMap((watcher) => [ping(watcher), ping(watcher), ping(watcher)]);
  await Promise.all([0, 1, 2, 3].map(change));
  done = true;
  await Promise.all(pinging);
  for (const watcher of watchers) {
    const positions = watcher.changes.map(({ position }) => position);
    const first = positions[0] ?? 0;
    expect(positions).toEqual(positions.map((_, index) => first + index));
    expect(positions.length).toBe(acknowledged);
    watcher.call.cancel();
  }
  expect(pongs).toBeGreaterThan(100);
});
