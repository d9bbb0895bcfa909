import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutGlossRequest, SearchRequest } from '@knowledge/proto/knowledge/content/v1/search';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { articlePut, objectPut } from '../testing/put.js';
import { asEditor, type ServedContent, serveContent } from '../testing/serve-content.js';

/** Words of one meaning have one direction. `npm run bench:search -- --embeddings` has a real model. */
const meanings: readonly RegExp[] = [/car|vehicle|automobil/g, /boat|ship|vessel/g, /money|cash|budget/g];

/** An endpoint that does what the tests want. */
async function openEndpoint() {
  const texts: string[] = [];
  const state = { answer: undefined as ((response: ServerResponse) => void) | undefined };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
    texts.push(...input);
    if (state.answer !== undefined) return state.answer(response);
    const data = input.map((text, index) => {
      const counts = meanings.map((meaning) => text.toLowerCase().match(meaning)?.length ?? 0);
      return { index, embedding: [...counts, 0.5] };
    });
    response.end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url, texts, state, close };
}

let endpoint: Awaited<ReturnType<typeof openEndpoint>>;
let mongo: ReturnType<typeof openTestDatabase>;
let content: ServedContent;
const serve = (model = 'one', url = endpoint.url) =>
  serveContent({
    ...{ EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_QUERY_MS: '1000' },
    MONGODB_DATABASE: mongo.db.databaseName,
  });
beforeAll(async () => {
  endpoint = await openEndpoint();
  mongo = openTestDatabase('vectors');
  content = await serve();
  await put('automobile', { title: 'An automobile' });
  for (const each of ['ship', 'vessel', 'cash']) await put(each, { title: `A ${each}` });
  // What a query means must be rare.
  for (let at = 0; at < 25; at++) await put(`other-${at}`, { title: `Other ${at}` });
  await content.editorial.putObject(objectPut({ title: 'A boat and a crew', summary: 'S' }), asEditor);
});
afterAll(async () => {
  await content?.close();
  await mongo?.close();
  endpoint?.close();
});

const put = (slug: string, part: object) =>
  content.editorial.putArticle(articlePut({ publish: true, tags: ['t'], body: 'Text.', slug, ...part }), asEditor);
const stored = () => mongo.db.collection<{ _id: string; hash: string; model: string }>('text_vectors');
const vectorsOf = (slug: string) => stored().findOne({ _id: `article/org/${slug}` });
const search = (query: string, of = content) =>
  of.search.search(SearchRequest.fromPartial({ site: Site.ORG, query }), { requestId: 'test' });
const settled = (of = content, expecting: Pick<typeof expect, 'poll'> = expect) =>
  expecting.poll(async () => (await search('settled', of)).provisional, { timeout: 20_000 }).toBe(false);
const names = async (query: string, of = content) =>
  (await search(query, of)).hits.map(({ entry }) => entry?.value.title);

describe('search by meaning', () => {
  it('finds texts without a word of the query, marks them as weak, and shows no matched words', async () => {
    await settled();
    const { hits, total, facets } = await search('vehicle');
    expect(hits.map(({ entry, weak, matched }) => ({ title: entry?.value.title, weak, matched }))).toEqual([
      { title: 'An automobile', weak: true, matched: [] },
    ]);
    expect([hits[0]?.snippet?.text, total]).toEqual(['Text.', 1]);
    expect(hits[0]?.score).toBeLessThan(0.5);
    expect(hits[0]?.score).toBeGreaterThan(0);
    expect(facets.find(({ field }) => field === 'kind')?.values).toEqual([{ value: 'article', count: 1 }]);
  });

  it('adds to the score of a text that has words too', async () => {
    await settled();
    await put('plain', { title: 'Repair and paint' });
    await put('meant', { title: 'Repair and paint', summary: 'Every automobile' });
    await settled();
    expect((await names('vehicle repair')).slice(0, 2)).toEqual(['Repair and paint', 'Repair and paint']);
    const { hits } = await search('vehicle repair');
    expect(hits[0]?.entry).toMatchObject({ value: { slug: 'meant' } });
  });

  it('loses the vectors of a text in the moment in which it is changed or withdrawn, and gets those of its new words', async () => {
    await put('changing', { title: 'Its cash' });
    await settled();
    const before = await vectorsOf('changing');
    await put('changing', { title: 'A big vessel' });
    expect((await vectorsOf('changing'))?.hash).not.toBe(before?.hash);
    await settled();
    expect(await names('money')).toEqual(['A cash']);
    expect(await names('boat')).toContain('A big vessel');
    await content.editorial.archiveArticle(
      { site: Site.ORG, slug: 'changing', reason: '', expectedRevision: 0 },
      asEditor,
    );
    expect(await vectorsOf('changing')).toBeNull();
    await settled();
    expect(await vectorsOf('changing')).toBeNull();
  });

  it('embeds the gloss of a text, and a text only when its words change', async () => {
    await put('deutsch', { title: 'Ein Kahn', language: 'de' });
    await settled();
    const count = endpoint.texts.length;
    const gloss = PutGlossRequest.fromPartial({
      text: { $case: 'article', value: { site: Site.ORG, slug: 'deutsch' } },
      gloss: { title: 'A small ship', summary: '' },
    });
    await content.searchWords.putGloss(gloss, asEditor);
    await settled();
    expect(endpoint.texts.slice(count).filter((text) => /Kahn|small ship/.test(text))).toHaveLength(2);
    expect(await names('vessel')).toContain('Ein Kahn');
  });
});

describe('an endpoint that fails', () => {
  it.concurrent.for<[string, (response: ServerResponse) => void]>([
    ['answers nothing', () => undefined],
    ['refuses', (response) => void response.writeHead(500).end()],
    ['closes the connection', (response) => void response.destroy()],
    ['answers nonsense', (response) => void response.end('{"data":[{"index":0,"embedding":[NaN]}]}')],
    ['answers with other dimensions', (response) => void response.end('{"data":[{"index":0,"embedding":[1]}]}')],
    ['answers without an end', (response) => void response.write('{"data":')],
  ])('and %s leaves a search by words alone', async ([name, answer], context) => {
    const failing = await openEndpoint();
    const other = await serve('one', failing.url);
    await settled(other, context.expect);
    failing.state.answer = answer;
    const { hits, provisional } = await search(`automobile ${name}`, other);
    expect(hits[0]?.entry?.value.title).toBe('An automobile');
    expect(provisional).toBe(true);
    await other.close();
    failing.close();
  });

  it('gets the texts that were put meanwhile when it works again', async () => {
    endpoint.state.answer = (response) => void response.writeHead(503).end();
    await put('meanwhile', { title: 'Meanwhile, a vessel' });
    await expect.poll(() => endpoint.texts.some((text) => text.startsWith('Meanwhile'))).toBe(true);
    endpoint.state.answer = undefined;
    await expect.poll(() => vectorsOf('meanwhile'), { timeout: 20_000 }).not.toBeNull();
  });

  it('and refuses one text gets all others', async () => {
    const count = endpoint.texts.length;
    endpoint.state.answer = (response) => {
      const last = endpoint.texts.at(-1) ?? '';
      const refused = endpoint.texts.slice(count).length > 0 && /unspeakable/.test(last);
      if (refused) return void response.writeHead(400).end();
      response.end('{"data":[{"index":0,"embedding":[0,0,0,1]}]}');
    };
    await put('refused', { title: 'T', body: 'unspeakable' });
    await expect.poll(() => endpoint.texts.slice(count).includes('test'), { timeout: 20_000 }).toBe(true);
    endpoint.state.answer = undefined;
    await put('spoken', { title: 'Spoken' });
    await expect.poll(() => vectorsOf('spoken'), { timeout: 20_000 }).not.toBeNull();
    expect(await vectorsOf('refused')).toBeNull();
    // No replica waits for it any more.
    const name = { site: Site.ORG, slug: 'refused' };
    await content.editorial.archiveArticle({ ...name, reason: '', expectedRevision: 0 }, asEditor);
  });
});

describe('several replicas', () => {
  it('compute each text once, and all find it', async () => {
    const other = await serve();
    await put('shared', { title: 'A shared automobile' });
    await settled();
    await settled(other);
    expect(endpoint.texts.filter((text) => text.startsWith('A shared'))).toHaveLength(1);
    expect(await names('vehicle', other)).toContain('A shared automobile');
    await other.close();
  });

  it('compute all texts anew for another model, and use no vector of the old one', async () => {
    const count = await stored().countDocuments({ model: 'one' });
    expect(count).toBeGreaterThan(5);
    // The process with the old model ends, as in a rollout.
    await content.close();
    content = await serve('two');
    await expect.poll(async () => (await names('vehicle')).length, { timeout: 20_000 }).toBeGreaterThan(0);
  });
});
