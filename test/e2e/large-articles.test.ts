import { afterAll, beforeAll, expect, test } from 'vitest';
import { articleToPut } from '../harness/articles.js';
import { call, freshReader } from '../harness/http.js';
import { asTester, type System, startSystem } from '../harness/system.js';

let system: System;
const slugs = Array.from({ length: 40 }, (_, at) => `large-${at}`);
/** An article is at most 200 kB (protocol.md section 3). */
const body = 'word '.repeat(40_000).trim();

beforeAll(async () => {
  system = await startSystem();
  for (const slug of slugs) await system.clients.editorial.putArticle(articleToPut({ slug, body }), asTester());
});
afterAll(() => system?.close());

test('protocol.md 3: forty articles of 200 kB asked for at once are all delivered; a full batch never fails its neighbours', async () => {
  await system.processes['gateway']?.restart();
  const answers = await Promise.all(
    slugs.map((slug) => call(`${system.url}/api/v1/content/${slug}?site=org`, { headers: freshReader() })),
  );
  expect(answers.map(({ status }) => status)).toEqual(slugs.map(() => 200));
  for (const { json } of answers) expect(json.article.body).toHaveLength(body.length);
});

test('protocol.md 3: an article over 200 kB is refused at the editors’ door', async () => {
  const tooLarge = articleToPut({ slug: 'too-large', body: 'x'.repeat(200_001) });
  await expect(system.clients.editorial.putArticle(tooLarge, asTester())).rejects.toMatchObject({
    code: 'validation_error',
    message: expect.stringContaining('body'),
  });
});
