import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { PutGlossRequest, PutSynonymRequest, SearchRequest } from '@knowledge/proto/knowledge/content/v1/search';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { articlePut } from '../../testing/put.js';
import { asEditor, type ServedContent, serveContent, serveReplica } from '../../testing/serve-content.js';
import { storedIndexCollections } from './documents.js';
import { createIndexStore } from './index-store.js';

const root = new URL('../../../../../', import.meta.url);
const sample = new URL('deploy/local/sample/', root);
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const stored = { SEARCH_INDEX: 'database' };

async function open(content: Promise<ServedContent>): Promise<ServedContent> {
  const served = await content;
  opened.push(served);
  return served;
}

async function search({ search: client }: ServedContent, query: string, part: Partial<SearchRequest> = {}) {
  return client.search(SearchRequest.fromPartial({ query, ...part }), { requestId: 'test' });
}

async function slugs(content: ServedContent, query: string): Promise<string[]> {
  const { hits } = await search(content, query);
  return hits.map(({ entry }) => (entry?.$case === 'article' ? entry.value.slug : ''));
}

const put = ({ editorial }: ServedContent, part: Partial<PutArticleRequest>) =>
  editorial.putArticle(articlePut({ publish: true, tags: ['t'], body: 'Nothing else.', ...part }), asEditor);
const archive = ({ editorial }: ServedContent, slug: string) =>
  editorial.archiveArticle({ site: Site.ORG, slug, expectedRevision: 0, reason: '' }, asEditor);

describe('the index in the database', () => {
  it('gives the same hits, scores, facets and totals as the one in memory over the sample', async () => {
    const content = await open(serveContent({ SEARCH_INDEX: 'memory' }));
    await importSample(content);
    // Both know all parts of compounds before they prepare the first text.
    const memory = await open(serveReplica(content, { SEARCH_INDEX: 'memory' }));
    const database = await open(serveReplica(content, stored));
    const queries = load(readFileSync(new URL('test/search/queries.yaml', root), 'utf8')) as SampleQuery[];
    const some = queries.filter(({ set }) => set === 'dev').filter((_, at) => at % 3 === 0);
    for (const { query, set } of some) {
      const [one, other] = await Promise.all([search(memory, query), search(database, query)]);
      const shown = ({ hits, ...rest }: typeof one) => ({
        ...{ ...rest, nextPageToken: '' },
        hits: hits.map(({ score, ...hit }) => ({ ...hit, score: score.toFixed(6) })),
      });
      expect(shown(other), `${set} ${query}`).toEqual(shown(one));
    }
  }, 180_000);

  it('has a new, changed or withdrawn article as soon as it is acknowledged, on every replica', async () => {
    const one = await open(serveContent(stored));
    const other = await open(serveReplica(one, stored));
    for (let each = 0; each < 5; each++) {
      await put(one, { slug: 'changing', title: `Okapi number${each}`, body: 'Some zebra.' });
      expect(await slugs(other, `number${each}`)).toEqual(['changing']);
      await put(other, { slug: 'changing', title: `Quagga number${each}`, body: 'Some zebra.' });
      expect(await slugs(one, 'quagga')).toEqual(['changing']);
      expect(await slugs(one, 'okapi')).toEqual([]);
      await archive(one, 'changing');
      expect(await slugs(other, 'zebra')).toEqual([]);
    }
    const { texts, words, postings } = storedIndexCollections(one.db);
    // A withdrawn text is gone before the database lacks it.
    await vi.waitFor(async () => {
      const counts = [texts, words, postings].map((each) => each.countDocuments());
      expect(await Promise.all(counts)).toEqual([0, 0, 0]);
    }, 10_000);
  });

  it('lacks a withdrawn article at once, even while the index cannot be written', async () => {
    const one = await open(serveContent(stored));
    const other = await open(serveReplica(one, stored));
    await put(one, { slug: 'leaving', title: 'Okapi' });
    await put(one, { slug: 'staying', title: 'Okapi zebra' });
    expect(await slugs(other, 'okapi')).toEqual(['leaving', 'staying']);
    const session = one.db.client.startSession();
    session.startTransaction();
    const { state } = storedIndexCollections(one.db);
    const position = async () => (await state.findOne({ _id: 'state' }))?.position;
    await state.updateOne({ _id: 'state' }, { $inc: { blocks: 1 } }, { session });
    await archive(one, 'leaving');
    for (const each of [one, other]) {
      expect(await slugs(each, 'okapi')).toEqual(['staying']);
      expect((await search(each, 'okapi')).total).toBe(1);
    }
    expect(await position()).toBe(2);
    await session.abortTransaction();
    await session.endSession();
    await put(one, { slug: 'leaving', title: 'Okapi quagga' });
    for (const each of [one, other]) expect(await slugs(each, 'quagga')).toEqual(['leaving']);
    expect(await position()).toBe(4);
  });

  it('shows passages from the blocks that it keeps, and from the body where it keeps another revision', async () => {
    const one = await open(serveContent(stored));
    const { words } = storedIndexCollections(one.db);
    const kept = (text: string) => vi.waitUntil(async () => (await words.findOne({}))?.blocks[0] === text, 30_000);
    const passage = async (from: ServedContent) => (await search(from, 'okapi')).hits[0]?.snippet?.text;
    await put(one, { slug: 'shown', title: 'Okapi', body: 'First okapi.' });
    await kept('First okapi.');
    await words.updateOne({}, { $set: { blocks: ['Known okapi.'] } });
    expect(await passage(one)).toBe('Known okapi.');
    await put(one, { slug: 'shown', title: 'Okapi', body: 'Other okapi.' });
    expect(await passage(one)).toBe('Other okapi.');
    await kept('Other okapi.');
    await words.updateOne({}, { $set: { blocks: ['Known okapi.'], revision: 1 } });
    const other = await open(serveReplica(one, stored));
    expect(await passage(other)).toBe('Other okapi.');
  });

  it('takes changes that many replicas make at the same time', async () => {
    const one = await open(serveContent(stored));
    const other = await open(serveReplica(one, stored));
    const names = Array.from({ length: 40 }, (_, at) => `a${at}`);
    await Promise.all(
      names.map((slug, at) => put(at % 2 ? one : other, { slug, title: `Okapi ${slug}`, body: 'Same body.' })),
    );
    for (const each of [one, other]) expect((await search(each, 'okapi')).total).toBe(names.length);
    const { texts } = storedIndexCollections(one.db);
    await vi.waitFor(async () => expect(await texts.distinct('number')).toHaveLength(names.length), 10_000);
    for (const each of [one, other]) expect((await search(each, 'okapi')).total).toBe(names.length);
  });

  it('follows although other replicas merge steps before it reads them', async () => {
    const one = await open(serveContent(stored));
    const other = await open(serveReplica(one, stored));
    const { state, merged } = storedIndexCollections(one.db);
    const { steps } = createIndexStore(one.db.client, storedIndexCollections(one.db));
    const { fill = '' } = (await state.findOne({ _id: 'state' })) ?? {};
    const enough = new AbortController();
    const merging = (async () => {
      while (!enough.signal.aborted) await steps.merge(fill, AbortSignal.timeout(10_000));
    })();
    for (let at = 0; at < 30; at++) {
      const from = at % 2 ? one : other;
      await put(from, { slug: `a${at % 5}`, title: `Okapi number${at}`, body: `body${at}` });
      if (at % 3 === 0) await archive(from, `a${at % 5}`);
      const expected = at % 3 === 0 ? [] : [`a${at % 5}`];
      for (const each of [one, other]) expect(await slugs(each, `number${at}`)).toEqual(expected);
    }
    enough.abort();
    await merging;
    const total = (await search(one, 'okapi')).total;
    await vi.waitFor(async () => {
      const last = await state.findOne({ _id: 'state' });
      expect((await merged.findOne({ _id: 'merged' }))?.position).toEqual(last?.position);
    }, 20_000);
    const third = await open(serveReplica(one, stored));
    expect((await search(third, 'okapi')).total).toBe(total);
    expect(await slugs(third, 'number29')).toEqual(['a4']);
  }, 60_000);

  it('starts from steps that are not merged', async () => {
    const one = await open(serveContent(stored));
    await put(one, { slug: 'merged', title: 'Okapi' });
    const { merged, steps, texts } = storedIndexCollections(one.db);
    await vi.waitFor(async () => expect(await texts.countDocuments()).toBe(1), 10_000);
    await merged.updateOne({ _id: 'merged' }, { $set: { lease: { owner: 'test', until: new Date('9999-01-01') } } });
    await put(one, { slug: 'new', title: 'Okapi', body: 'Zebra.' });
    for (const body of ['one', 'two', 'three']) await put(one, { slug: 'changed', title: 'Okapi', body });
    await archive(one, 'merged');
    await search(one, 'okapi');
    expect(await steps.countDocuments()).toBeGreaterThan(0);
    const other = await open(serveReplica(one, stored));
    for (const each of [one, other]) {
      expect(await slugs(each, 'okapi')).toEqual(expect.arrayContaining(['new', 'changed']));
      expect((await search(each, 'okapi')).total).toBe(2);
      expect([await slugs(each, 'zebra'), await slugs(each, 'three'), await slugs(each, 'two')]).toEqual([
        ['new'],
        ['changed'],
        [],
      ]);
    }
    await merged.updateOne({ _id: 'merged' }, { $unset: { lease: 1 } });
    await vi.waitFor(async () => expect(await steps.countDocuments()).toBe(0), 30_000);
    for (const each of [one, other]) expect((await search(each, 'okapi')).total).toBe(2);
  }, 60_000);

  it('is filled again after steps were deleted', async () => {
    const one = await open(serveContent(stored));
    await put(one, { slug: 'first', title: 'Okapi' });
    const { merged, state, steps } = storedIndexCollections(one.db);
    await merged.updateOne({ _id: 'merged' }, { $set: { lease: { owner: 'test', until: new Date('9999-01-01') } } });
    await put(one, { slug: 'second', title: 'Okapi' });
    expect((await search(one, 'okapi')).total).toBe(2);
    const fill = (await state.findOne({ _id: 'state' }))?.fill;
    expect((await steps.deleteMany({})).deletedCount).toBeGreaterThan(0);
    const other = await open(serveReplica(one, stored));
    expect((await search(other, 'okapi')).total).toBe(2);
    expect((await state.findOne({ _id: 'state' }))?.fill).not.toBe(fill);
    await put(one, { slug: 'third', title: 'Okapi' });
    for (const each of [one, other]) expect((await search(each, 'okapi')).total).toBe(3);
  });

  it('merges the steps of many changes while more come', async () => {
    const one = await open(serveContent(stored));
    const { merged, steps } = storedIndexCollections(one.db);
    const isMerged = async () => Number((await merged.findOne({ _id: 'merged' }))?.position) > 0;
    let count = 0;
    for (; count < 1500 && !(await isMerged()); count += 20) {
      const part = Array.from({ length: 20 }, (_, at) => `a${count + at}`);
      await Promise.all(part.map((slug) => put(one, { slug, title: `Okapi ${slug}`, body: `Body of ${slug}.` })));
    }
    expect(count).toBeLessThan(1500);
    expect((await search(one, 'okapi')).total).toBe(count);
    await vi.waitFor(async () => expect(await steps.countDocuments()).toBe(0), 30_000);
    expect((await search(one, 'okapi')).total).toBe(count);
  }, 120_000);

  it('keeps replicas of releases without steps away, and leaves the index of a newer release alone', async () => {
    const one = await open(serveContent(stored));
    await put(one, { slug: 'first', title: 'Okapi' });
    expect((await search(one, 'okapi')).total).toBe(1);
    const { state } = storedIndexCollections(one.db);
    // An older replica changes only a filled index, and fills one only when it has the lease.
    const older = await state.findOne({ _id: 'index' });
    expect(older).toMatchObject({ version: 5, isFilled: false });
    expect(older?.lease?.until.getTime()).toBeGreaterThan(Date.now() + 1e12);
    await state.updateOne({ _id: 'state' }, { $set: { version: 5, textBytes: 1e9 } });
    const before = await state.findOne({ _id: 'state' });
    const other = await open(serveReplica(one, { SEARCH_INDEX: 'auto' }));
    expect((await search(other, 'okapi')).total).toBe(1);
    expect(await state.findOne({ _id: 'state' })).toEqual(before);
  });

  it('starts from what is stored, without reading the texts again', async () => {
    const one = await open(serveContent(stored));
    await put(one, { slug: 'kept', title: 'Okapi' });
    await search(one, 'okapi');
    // A change that the log does not have is found only by who reads the texts.
    await one.db.collection<{ _id: string }>('articles').updateOne({ _id: 'org/kept' }, { $set: { title: 'Zebra' } });
    const other = await open(serveReplica(one, stored));
    expect(await slugs(other, 'okapi')).toEqual(['kept']);
    expect(await slugs(other, 'zebra')).toEqual([]);
  });

  it('is filled again after its collections were dropped, or the log was replaced by an older one', async () => {
    const one = await open(serveContent(stored));
    await put(one, { slug: 'first', title: 'Okapi' });
    await put(one, { slug: 'second', title: 'Okapi' });
    await one.db.collection('search_index').deleteMany({});
    await one.db.collection('search_postings').deleteMany({});
    await put(one, { slug: 'third', title: 'Okapi' });
    expect((await search(one, 'okapi')).total).toBe(3);
    // As after a restore of a backup without the third article.
    await one.db.collection<{ _id: string }>('articles').deleteOne({ _id: 'org/third' });
    await one.db.collection<{ _id: number }>('changes').deleteMany({ _id: { $gt: 2 } });
    await one.db.collection<{ _id: string }>('counts').updateOne({ _id: 'content' }, { $set: { position: 2 } });
    expect((await search(one, 'okapi')).total).toBe(2);
  });

  it('counts the texts that a fill has put into it', async () => {
    const one = await open(serveContent({ SEARCH_INDEX: 'memory' }));
    for (const slug of ['first', 'second', 'third']) await put(one, { slug, title: 'Okapi' });
    const address = `127.0.0.1:${await freePort()}`;
    const other = await open(serveReplica(one, { ...stored, METRICS_ADDRESS: address }));
    expect((await search(other, 'okapi')).total).toBe(3);
    const metrics = await (await fetch(`http://${address}/metrics`)).text();
    expect(metrics).toMatch(/^knowledge_search_index_filled_total\S* 3$/m);
    expect(metrics).toMatch(/^knowledge_search_index_texts\S* 3$/m);
  });

  it('takes over when the texts outgrow the memory, and after that at once', async () => {
    const room = { SEARCH_INDEX: 'auto', SEARCH_INDEX_MEGABYTES: '1' };
    const one = await open(serveContent(room));
    const other = await open(serveReplica(one, room));
    for (let at = 0; at < 12; at++) {
      const words = Array.from({ length: 2500 }, (_, word) => `word${at * 2000 + word}`);
      await put(one, { slug: `long-${at}`, title: `Okapi ${at}`, body: words.join(' ') });
    }
    for (const each of [one, other]) {
      await vi.waitFor(async () => expect(await slugs(each, 'word24400')).toEqual(['long-11']), 20_000);
      expect((await search(each, 'okapi')).total).toBe(12);
    }
    const state = await storedIndexCollections(one.db).state.findOne({ _id: 'state' });
    expect(state).toMatchObject({ isFilled: true, blocks: 1 });
    const third = await open(serveReplica(one, room));
    expect(await slugs(third, 'word24400')).toEqual(['long-11']);
  }, 60_000);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface SampleQuery {
  readonly query: string;
  readonly set: 'dev' | 'held';
}

async function importSample(content: ServedContent): Promise<void> {
  const { editorial, searchWords } = content;
  for (const site of ['io', 'org']) {
    const folder = new URL(`${site}/articles/`, sample);
    for (const file of readdirSync(folder)) {
      const [, head = '', body = ''] =
        /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(new URL(file, folder), 'utf8')) ?? [];
      const { published_at: _, ...fields } = load(head) as Record<string, unknown>;
      const where = { site: site === 'io' ? Site.IO : Site.ORG, body, publish: true };
      await editorial.putArticle(PutArticleRequest.fromPartial({ ...fields, ...where }), asEditor);
      const gloss = glosses.find(({ slug }) => slug === fields.slug);
      if (gloss === undefined) continue;
      const text = { $case: 'article' as const, value: { site: where.site, slug: gloss.slug } };
      const { title, summary } = gloss;
      await searchWords.putGloss(PutGlossRequest.fromPartial({ text, gloss: { title, summary } }), asEditor);
    }
  }
  const groups = load(readFileSync(new URL('synonyms.yaml', sample), 'utf8')) as object[];
  for (const [at, group] of groups.slice(0, 80).entries()) {
    const synonym = { id: `group-${at}`, ...group };
    await searchWords.putSynonym(PutSynonymRequest.fromPartial({ synonym }), asEditor);
  }
}

const glosses = load(readFileSync(new URL('glosses.yaml', sample), 'utf8')) as {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
}[];
