import { createServer, type Server } from 'node:http';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ListArticlesRequest } from '@knowledge/proto/knowledge/content/v1/content';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenSearchNode, startOpenSearch } from '../harness/opensearch/node.js';
import { until } from '../harness/until.js';
import {
  type ContentOptions,
  type ContentProcess,
  dropDatabase,
  newPlaces,
  refillSearch,
  startContent,
} from './content-process.js';

const shared = process.env['OPENSEARCH_TEST_URL'];

describe.skipIf(shared === undefined)('content with an OpenSearch', () => {
  let places: ContentOptions;
  let content: ContentProcess;
  beforeAll(async () => {
    places = { url: shared ?? '', ...newPlaces() };
    content = await startContent(places);
  });
  afterAll(async () => {
    await content.close();
    await dropDatabase(places.database);
  });

  test('finds what was put, and never shows what was withdrawn', async () => {
    for (const each of ['one', 'two', 'three', 'four']) {
      await content.put(each, { title: 'Okapi' });
      await until(`${each} is found`, async () => (await content.find('okapi')).includes(each));
      await content.archive(each);
      expect(await content.find('okapi')).toEqual([]);
    }
    await until('no total counts them', async () => (await content.search('okapi')).total === 0);
  });

  test.each([
    ['is lost', (index: string) => fetch(index, { method: 'DELETE' })],
    ['an operator wants filled again', () => refillSearch(places)],
  ])('fills an index again that %s', async (_, lose) => {
    await content.put('kept', { title: 'Quagga' });
    await until('it is found', async () => (await content.find('quagga')).length === 1);
    const before = await uuidOf(places);
    await lose(`${places.url}/${places.index}-1`);
    await until('there is a new one', async () => (await uuidOf(places)) !== before);
    await until('it is found again', async () => (await content.find('quagga')).length === 1);
    // No write has made an index of another kind in the meantime.
    const mapping = await (await fetch(`${places.url}/${places.index}-1/_mapping`)).json();
    expect(mapping).toMatchObject({ [`${places.index}-1`]: { mappings: { dynamic: 'false' } } });
  });

  test('reads only what changed meanwhile when it starts again', async () => {
    await content.put('before', { title: 'Tapir' });
    await until('it is found', async () => (await content.find('tapir')).length === 1);
    await content.process.kill();
    const again = await startContent(places);
    await again.put('after', { title: 'Tapir' });
    await again.archive('before');
    await until('both changes are in', () => finds(again, 'tapir', ['after']));
    await content.close();
    content = again;
  });

  test('ends a search at the engine when its caller has gone', async () => {
    let [asked, closed] = [0, 0];
    const slow = await listen((path, answer) => {
      if (!path.endsWith('/_search')) return false;
      asked++;
      answer.on('close', () => closed++);
      return true;
    }, places.url);
    const held = await startContent({ ...places, url: slow.url });
    try {
      await held.put('slow', { title: 'Axolotl' });
      await until('the word is known', async () => {
        const stop = new AbortController();
        const search = held.search('axolotl', {}, stop.signal).catch(() => undefined);
        await Promise.race([search, until('it is asked', () => asked > 0)]);
        stop.abort();
        await search;
        return asked > 0;
      });
      await until('the connection is closed', () => closed === asked);
      expect((await list(held)).entries).not.toHaveLength(0);
    } finally {
      await held.close();
      slow.server.close();
    }
  });
});

describe.skipIf(shared === undefined)('content whose OpenSearch dies', () => {
  let node: OpenSearchNode;
  let places: ContentOptions;
  let content: ContentProcess;
  beforeAll(async () => {
    node = await startOpenSearch();
    places = { url: node.url, ...newPlaces() };
    content = await startContent(places);
  });
  afterAll(async () => {
    await content?.close();
    await node?.close();
    await dropDatabase(places.database);
  });

  test('is ready and lists without it, and searches only with it', async () => {
    await content.put('listed', { title: 'Zebra' });
    await until('it is found', async () => (await content.find('zebra')).length === 1);
    await node.process.kill();
    await expect(content.find('zebra')).rejects.toMatchObject({ code: 'unavailable' });
    expect((await list(content)).entries).toHaveLength(1);
    await expect(list(content, 'zebra')).rejects.toMatchObject({ code: 'unavailable' });
    const replica = await startContent(places);
    await content.put('meanwhile', { title: 'Zebra' });
    await content.archive('listed');
    await node.process.restart();
    for (const each of [content, replica])
      await until('it finds again', () => finds(each, 'zebra', ['meanwhile']), 60_000);
    await replica.close();
  });

  test('loses no change and shows nothing withdrawn while processes are killed', async () => {
    let other = await startContent(places);
    const published = new Set<string>();
    const shown: string[] = [];
    let isDone = false;
    const change = async (): Promise<void> => {
      for (let at = 0; !isDone; at++) {
        const slug = `killed-${at % 12}`;
        if (published.has(slug)) {
          await content.archive(slug);
          published.delete(slug);
          const found = await content.find('walrus').catch((): string[] => []);
          if (found.includes(slug)) shown.push(slug);
        } else {
          await content.put(slug, { title: `Walrus number${at}` });
          published.add(slug);
        }
      }
    };
    const changing = change();
    await until('there are changes', () => published.size > 5);
    await other.process.kill();
    const size = () => published.size;
    other = await startContent(places);
    await node.process.kill();
    await until('there are changes', () => size() < 6);
    await node.process.restart();
    await until('there are changes', () => size() > 5);
    await other.process.kill();
    isDone = true;
    await changing;
    const all = await list(content);
    const expected = all.entries.map(({ slug }) => slug).filter((slug) => published.has(slug));
    expect(expected.sort()).toEqual([...published].sort());
    other = await startContent(places);
    for (const each of [content, other]) await until('it finds all of them', () => finds(each, 'walrus', expected));
    expect(shown).toEqual([]);
    await other.close();
  });
});

/** What the cluster calls the index; undefined if there is none. */
async function uuidOf({ url, index }: ContentOptions): Promise<string | undefined> {
  const found = (await (await fetch(`${url}/${index}-1/_settings`)).json()) as Record<string, Settings>;
  return found[`${index}-1`]?.settings.index.uuid;
}

interface Settings {
  readonly settings: { readonly index: { readonly uuid: string } };
}

/** Whether a search finds these articles and counts no other. */
async function finds(content: ContentProcess, query: string, slugs: readonly string[]): Promise<boolean> {
  const { total } = await content.search(query);
  return total === slugs.length && `${await content.find(query)}` === `${slugs}`;
}

function list({ content }: ContentProcess, query = '') {
  const request = ListArticlesRequest.fromPartial({ site: Site.ORG, query, pageSize: 50 });
  return content.listArticles(request, { requestId: 'test' });
}

/** A server before another one that holds the requests that `hold` keeps, and passes the others on. */
async function listen(
  hold: (path: string, answer: { on(event: 'close', listener: () => void): unknown }) => boolean,
  target: string,
): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (hold(path, response)) return;
    const body = await new Response(request as unknown as ReadableStream).text();
    const { method = 'GET', headers } = request;
    const type = headers['content-type'];
    const passed = await fetch(`${target}${path}`, {
      method,
      ...(body !== '' && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
    response.writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? '' });
    response.end(await passed.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { server, url: `http://127.0.0.1:${port}` };
}
