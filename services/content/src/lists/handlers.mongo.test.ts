import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { fromStatus } from '@knowledge/runtime/grpc';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asEditor, moved, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

const call = { requestId: 'reader' };
const empty = { site: Site.IO, pageSize: 0, pageToken: '', query: '', tag: '', updatedSince: undefined };

const { put, read: get } = served;

async function related(slug: string): Promise<string[]> {
  const [outcome] = await get(slug);
  return outcome?.$case === 'article' ? outcome.value.related.map((each) => each.slug) : [];
}

describe('GetArticles', () => {
  beforeEach(async () => {
    for (const [slug, tags] of Object.entries({ a: ['t', 'u'], b: ['t'], c: ['t', 'u'], d: ['u'], e: ['other'] })) {
      const publishedAt = new Date(Date.UTC(2026, 0, 10 - slug.charCodeAt(0) + 97));
      await put(slug, { tags, publishedAt, publish: true });
    }
    await put('draft');
  });

  it('responds to each item separately, in order', async () => {
    const outcomes = await get('a', 'missing', 'Not A Slug', 'draft', 'b', 'a');
    expect(outcomes.map((each) => each?.$case)).toEqual(['article', 'error', 'error', 'error', 'article', 'article']);
    for (const outcome of outcomes)
      if (outcome?.$case === 'error')
        expect([fromStatus(outcome.value).code, outcome.value.code]).toEqual(['not_found', 5]);
    const [first] = outcomes;
    expect(first?.$case === 'article' && first.value).toMatchObject({
      entry: { slug: 'a', site: Site.ORG, wordCount: 3, revision: 1 },
      body: 'Some **bold** words.',
    });
  });

  it('responds to a malformed name exactly as to an unknown name', async () => {
    const [unknown, malformed] = await get('missing', '$where');
    expect(malformed).toEqual(unknown);
  });

  it('lists related articles, and shows their changes at once', async () => {
    const { editorial } = served;
    expect(await related('a')).toEqual(['c', 'b', 'd']);
    expect(await related('e')).toEqual([]);
    await editorial.archiveArticle(moved('c'), asEditor);
    expect(await related('a')).toEqual(['b', 'd']);
    await put('new', { tags: ['u', 't'], publish: true });
    expect(await related('a')).toEqual(['new', 'b', 'd']);
    await put('new', { title: 'Renamed', tags: ['u'], publish: true });
    expect(await related('a')).toEqual(['new', 'b', 'd']);
    const [outcome] = await get('a');
    expect(outcome?.$case === 'article' && outcome.value.related[0]?.title).toBe('Renamed');
    await editorial.returnArticleToDraft(moved('new'), asEditor);
    expect(await related('a')).toEqual(['b', 'd']);
  });

  it('returns a part of a batch that is too large, so that the caller can request the rest again', async () => {
    const slugs = Array.from({ length: 20 }, (_, index) => `large-${index}`);
    for (const slug of slugs) await put(slug, { body: 'é'.repeat(99_999), publish: true });
    const asked = await get(...slugs);
    const given = asked.filter((each) => each?.$case === 'article').length;
    expect(given).toBeGreaterThan(15);
    expect(given).toBeLessThan(20);
    const left = asked.findLast((each) => each?.$case === 'error');
    const full = { code: 'unavailable', metadata: { batch: 'full' } };
    expect(left?.$case === 'error' && fromStatus(left.value)).toMatchObject(full);
    expect((await get(...slugs.slice(given))).every((each) => each?.$case === 'article')).toBe(true);
  });

  it('refuses more than 256 items and an item without a site', async () => {
    await expect(get(...Array.from({ length: 257 }, () => 'a'))).rejects.toMatchObject({ code: 'validation_error' });
    const items = [{ context: undefined, site: Site.UNSPECIFIED, slug: 'a' }];
    const [result] = (await served.content.getArticles({ items }, call)).results;
    expect(result?.outcome?.$case === 'error' && fromStatus(result.outcome.value).code).toBe('validation_error');
  });
});

describe('ListArticles', () => {
  beforeAll(async () => {
    for (let index = 0; index < 5; index++) {
      const tags = index < 2 ? ['two'] : [];
      await put(`l-${index}`, { site: Site.IO, title: `Lamp ${index}`, publish: true, tags });
    }
  });

  it('lists all list pages with an exact total', async () => {
    const first = await served.content.listArticles({ ...empty, pageSize: 3 }, call);
    expect(first.entries.map(({ slug }) => slug)).toEqual(['l-4', 'l-3', 'l-2']);
    expect(first.total).toBe(5);
    const second = await served.content.listArticles({ ...empty, pageSize: 3, pageToken: first.nextPageToken }, call);
    expect(second.entries.map(({ slug }) => slug)).toEqual(['l-1', 'l-0']);
    expect(second.nextPageToken).toBe('');
  });

  it('returns the number of hits with a query, and no total with another filter', async () => {
    expect((await served.content.listArticles({ ...empty, query: 'lamp', pageSize: 1 }, call)).total).toBe(5);
    for (const filter of [{ tag: 'two' }, { updatedSince: new Date(0) }]) {
      const page = await served.content.listArticles({ ...empty, ...filter }, call);
      expect(page.entries).toHaveLength('tag' in filter ? 2 : 5);
      expect(page.total).toBeUndefined();
    }
  });

  it.each([
    ['site', { site: Site.UNSPECIFIED }],
    ['page_size', { pageSize: 201 }],
    ['tag', { tag: 'Not a tag' }],
  ])('refuses a bad %s', async (field, part) => {
    const refused = { code: 'validation_error', message: expect.stringContaining(field) };
    await expect(served.content.listArticles({ ...empty, ...part }, call)).rejects.toMatchObject(refused);
  });
});

it('an archived article is in no response to a request that came after the acknowledgement', async () => {
  const { content, editorial } = served;
  for (const slug of ['seen', 'other']) await put(slug, { tags: ['w'], publish: true });
  const highlights = [
    { slug: 'seen', editorNote: '' },
    { slug: 'other', editorNote: 'why' },
  ];
  await editorial.setHighlights({ site: Site.ORG, highlights }, asEditor);
  for (let round = 0; round < 50; round++) {
    await editorial.publishArticle(moved('seen'), asEditor);
    expect(await related('other')).toContain('seen');
    await editorial.archiveArticle(moved('seen'), asEditor);
    const [[article], list, curated, others] = await Promise.all([
      get('seen'),
      content.listArticles({ ...empty, site: Site.ORG, tag: 'w' }, call),
      content.listHighlights({ site: Site.ORG }, call),
      related('other'),
    ]);
    expect(article?.$case).toBe('error');
    expect(list.entries.map(({ slug }) => slug)).toEqual(['other']);
    expect(curated.highlights).toMatchObject([{ entry: { slug: 'other' }, position: 1, editorNote: 'why' }]);
    expect(others).toEqual([]);
  }
});
